// Computes the calendar of a snapshot: counts by day, streaks, and the levels of the visible weeks.
// A port of sitedata.views.calendar and sitedata.views.heat_levels; tests compare both.
const calendar = (() => {
  const { DAY_MS, FIRST, LAST, WEEK, mondayOf, read, write } =
    typeof days === "object" ? days : require("./days.js");

  const LEVELS = 4;
  const YEAR = 53; // weeks

  // Counts the problems of each day; problems without a time are not counted.
  function countProblems(problems) {
    const counts = new Map();
    for (const { time } of problems) {
      if (time === null) continue;
      const day = read(time.day);
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
    return counts;
  }

  // Returns the last day of a calendar: the day of `generatedAt`, or the day after it if that is
  // active, for zones ahead of UTC.
  function lastDay(generatedAt, counts) {
    const day = Math.floor(generatedAt / DAY_MS);
    return day < LAST && counts.has(day + 1) ? day + 1 : day;
  }

  // Returns a calendar: `counts`, a map from active day to count in order of time, and `until`.
  function build(pairs, generatedAt) {
    const active = [...pairs].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
    const counts = new Map(active);
    return { counts, until: lastDay(generatedAt, counts) };
  }

  function streaks({ counts }) {
    const found = [];
    for (const day of counts.keys()) {
      const streak = found.at(-1);
      if (streak !== undefined && streak.last === day - 1) streak.last = day;
      else found.push({ first: day, last: day });
    }
    return found.map(({ first, last }) => ({ first, last, length: last - first + 1 }));
  }

  // Returns the longest streak, the latest of equal ones; null if there is none.
  const longest = (found) =>
    found.reduce((best, each) => (best && best.length > each.length ? best : each), null);

  // Returns the streak that reaches a day or the day before; null if there is none.
  function current(found, today) {
    const streak = found.findLast(({ first }) => first <= today);
    if (streak === undefined) return null;
    const last = Math.min(streak.last, today);
    if (today - last > 1) return null;
    return { first: streak.first, last, length: last - streak.first + 1 };
  }

  // Returns the first of the counts in ascending order that is not below a count.
  function indexOf(limits, count) {
    const n = limits.findIndex((limit) => limit >= count);
    return n === -1 ? limits.length : n;
  }

  // Returns the level of each count, a map.  Up to four counts have a level each; more are divided
  // into quarters of the active days.
  function levelsOf(sorted) {
    const distinct = [...new Set(sorted)];
    const steps = Math.max(distinct.length - 1, 1);
    const quarters = [1, 2, 3].map((n) => sorted[Math.ceil((n * sorted.length) / LEVELS) - 1]);
    return new Map(distinct.map((count, n) => [count, 1 + (distinct.length <= LEVELS
      ? Math.floor(((LEVELS - 1) * n) / steps)
      : indexOf(quarters, count))]));
  }

  // Returns the last visible day: the end of a calendar, or of its last active year if later days
  // have no count.
  function lastVisible({ counts, until }, weeks = YEAR) {
    const last = [...counts.keys()].at(-1) ?? until;
    return last < mondayOf(until) - (Math.max(weeks, YEAR) - 1) * WEEK ? last : until;
  }

  // Returns what a number of weeks shows: the `level` of each active day, and the `scale`, a map from
  // level to its greatest count.
  function heat(all, weeks) {
    const last = lastVisible(all, weeks);
    const monday = mondayOf(last) - (weeks - 1) * WEEK;
    const first = Math.max(monday, FIRST);
    const shown = new Map([...all.counts].filter(([day]) => first <= day && day <= last));
    const levelOf = levelsOf([...shown.values()].sort((a, b) => a - b));
    const scale = new Map([...levelOf].map(([count, level]) => [level, count]));
    const levels = new Map([...shown].map(([day, count]) => [day, levelOf.get(count)]));
    return { monday, first, last, counts: shown, levels, scale };
  }

  // ---- problems over all time

  const MAX_SPANS = 60;

  const monthOf = (day) => {
    const text = write(day);
    return Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7)) - 1;
  };
  const writeMonth = (month) =>
    `${String(Math.floor(month / 12)).padStart(4, "0")}-${String((month % 12) + 1).padStart(2, "0")}`;

  // Returns at most 60 equal spans from the first day to the last, or to `until` if that is later:
  // months, or else years or several years each.  Each has its first and last day, and the sum of its
  // counts.
  function spans(counts, until) {
    if (counts.size === 0) return [];
    const months = new Map();
    for (const [day, count] of counts) {
      const month = monthOf(day);
      months.set(month, (months.get(month) ?? 0) + count);
    }
    const all = [...months.keys()].sort((a, b) => a - b);
    const [first, last] = [all[0], Math.max(all.at(-1), monthOf(until))];
    const years = Math.ceil((Math.floor(last / 12) - Math.floor(first / 12) + 1) / MAX_SPANS);
    const size = last - first < MAX_SPANS ? 1 : 12 * years;
    const start = size === 1 ? first : first - (first % 12);
    const found = Array.from({ length: Math.floor((last - start) / size) + 1 }, (_, n) => {
      const [from, to] = [start + n * size, Math.min(start + (n + 1) * size, 120_000)];
      const next = to === 120_000 ? LAST + 1 : read(`${writeMonth(to)}-01`);
      return { first: read(`${writeMonth(from)}-01`), last: next - 1, months: size, count: 0 };
    });
    for (const [month, count] of months) found[Math.floor((month - start) / size)].count += count;
    return found;
  }

  return { build, countProblems, current, heat, lastVisible, longest, spans, streaks };
})();

if (typeof module === "object") module.exports = calendar;

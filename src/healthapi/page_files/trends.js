// The trends: a lane for each metric on one axis of days or months.  The reader chooses how much is
// shown, and a day or month whose values stand beside the lanes.
const trends = (() => {
  const RANGES = [30, 90, 365];
  const WEEK = 7;
  const FEW_TICKS = 4; // of a month, or less
  const SHORT_DAYS = 4 * WEEK; // up to which the values are joined themselves
  const QUARTER = 3; // months
  const FEW_YEARS = 3; // which have a tick at each quarter
  const MANY_DAYS = 120; // from which on points are smaller
  const [LETTER, NARROW_LETTER] = [0.011, 0.024]; // shares of the width, also in a narrow window
  const EDGE = 0.05; // share of the width at each end in which a label stands inside of its tick
  const LEVELS = 5; // between the ends of a lane, at most
  const CLOSE = 7; // percent of the height of a lane in which a number needs room
  const STEPS = [1, 2, 5, 10, 20, 50, 100];
  const MAX_YEARS = 8; // ticks of many years

  const { byId, createElement, setVisible } = page;
  const { monthStart, MONTHS } = days;

  const tall = new Set(); // the metrics whose lanes are enlarged

  const monthOf = (day) => days.parseMonth(days.dateOf(day).toISOString());
  const monthTick = (month) => (month % MONTHS === 0 ? String(month / MONTHS) : text.month(monthStart(month)));

  // What is shown: `first` to `last` are days or months, `name` is that of its button, `key` that
  // of its scales; `values` are maps by metric, `isOpen` checks whether a value is not complete.
  // A narrow window does not name minor ticks.
  function ofDays({ values, latest, view }, key, count) {
    const isYear = count > MANY_DAYS;
    const isShort = count <= SHORT_DAYS;
    const step = count < 2 * RANGES[0] ? Math.min(WEEK, Math.ceil(count / FEW_TICKS)) : 2 * WEEK;
    const isTick = (day) => (isYear ? days.dateOf(day).getUTCDate() === 1 : (latest - day) % step === 0);
    const isMinor = (day) => (isYear ? monthOf(day) % (count < 300 ? 2 : QUARTER) !== 0 : step > WEEK && (latest - day) % (2 * step) !== 0);
    const isOpen = (metric, day) => day === latest && view.unfinished.includes(metric);
    return {
      name: `${count} days`, key, one: "day", on: "on", first: latest - count + 1, last: latest,
      decimals: ({ decimals }) => decimals,
      values, isOpen, isTick, isMinor, long: text.weekday, full: text.dated,
      short: text.short, start: isYear ? text.dated : text.short, tick: (day) => (isYear ? monthTick(monthOf(day)) : text.short(day)),
      title: `${count} days to ${text.dated(latest)}`,
      points: "Points are days", reach: isShort ? 1 : days.MEAN_DAYS - 1,
      mean: isShort ? undefined : "The line is the mean of the last 7 days, if they have at least 3 values",
      // A day that is not over is no part of a line.
      line: (metric, all, first) => (isShort ? days.within : days.means)(
        new Map([...all].filter(([day]) => !isOpen(metric, day))), first, latest,
      ),
    };
  }

  function ofMonths({ metrics, view: { months } }) {
    const [first, last] = [months.points[0], months.points.at(-1)].map(({ period }) => days.parseMonth(period));
    const partial = new Set(months.partial.map(days.parseMonth));
    const isOpen = (_key, month) => partial.has(month);
    const years = (last - first) / MONTHS;
    const step = MONTHS * STEPS.find((each) => years / each <= MAX_YEARS);
    const full = (month) => text.monthAndYear(monthStart(month));
    return {
      name: "All", key: "all", one: "month", on: "in", first, last,
      decimals: ({ unit }) => (WHOLE_UNITS.has(unit) ? 0 : 1),
      values: new Map(metrics.map(({ key }) => [key, days.valuesOf(months.points, key)])),
      isOpen,
      isTick: (month) => month % (years <= FEW_YEARS ? QUARTER : step) === 0,
      isMinor: (month) => years > FEW_YEARS / 2 && month % (2 * QUARTER) !== 0,
      long: full, full, short: full, start: full, tick: monthTick,
      title: `Means of ${text.counted(last - first + 1, "month")} to ${full(last)}`,
      points: "Points are the means of months", reach: 1,
      line: (key, all, from) => days.within(all, from, last).filter(({ day }) => !isOpen(key, day)),
    };
  }

  function place(element, each, { first, last }) {
    element.style.insetInlineStart = `${((each - first) / (last - first)) * 100}%`;
    return element;
  }

  const labelOf = (shown, each) => shown[each === shown.first || each === shown.last ? "start" : "tick"](each);

  function axis(shown, ticks, isMinor) {
    return ticks.map((each) => {
      const share = (each - shown.first) / (shown.last - shown.first);
      const side = share < EDGE ? "start" : share > 1 - EDGE && "end";
      const name = [side, isMinor(each) && "minor"].filter(Boolean).join(" ");
      return place(createElement("span", name, labelOf(shown, each)), each, shown);
    });
  }

  function describe(metric, { points, least, greatest, usual, cut, early }, shown) {
    const { first, last, one, on, full } = shown;
    const written = ({ day, value }) => `${text.value(value, metric)} ${on} ${full(day)}`;
    return [
      `${metric.label}, ${full(first)} to ${full(last)}: `
        + `${points.length} of ${text.counted(last - first + 1, one)} have a value`,
      `least ${written(least)}`,
      `greatest ${written(greatest)}`,
      ...(usual === undefined ? [] : [`usual range ${text.range(usual, metric)}`]),
      ...(cut.length > 0 ? [`beyond the scale: ${text.list(cut.map(written))}`] : []),
      ...(early.length > 0 ? [`not complete and beyond the scale: ${text.list(early.map(written))}`] : []),
    ].join(", ") + ".";
  }

  // Returns round values between the ends of a scale.
  function levelsOf([low, high], { unit }) {
    const [span, least] = [high - low, WHOLE_UNITS.has(unit) ? 1 : 0.1];
    const size = 10 ** Math.floor(Math.log10(span / LEVELS || 1));
    const step = STEPS.map((each) => each * size).find((each) => span / each <= LEVELS && each >= least);
    const [first, last] = [Math.ceil(low / step), Math.floor(high / step)];
    return Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step);
  }

  // Names the value that is farthest beyond the scale, and counts the others.
  function farthest(cut, [low, high], metric, shown) {
    const beyond = ({ value }) => Math.max(low - value, value - high);
    const [{ day, value }, ...others] = cut.toSorted((one, other) => beyond(other) - beyond(one));
    const more = others.length > 0 ? `, +${others.length}` : "";
    return createElement("span", "detail", `${value > high ? "▲" : "▼"} ${text.value(value, metric)} ${shown.on} ${shown.short(day)}${more}`);
  }

  function lane(found, all, shown, ticks, isMinor, view) {
    const { first, last, reach } = shown;
    const metric = { ...found, decimals: shown.decimals(found) };
    const points = days.within(all, first, last);
    const open = points.filter(({ day }) => shown.isOpen(metric.key, day));
    const closed = points.filter((point) => !open.includes(point));
    const { least, greatest } = days.extremes(closed.length > 0 ? closed : points);
    const written = ({ value }) => text.precise(value, metric); // so that no end of the scale is beyond it
    const scale = view.scales[shown.key]?.[metric.key] ?? [least, greatest].map(written);
    const usual = shown.one === "day" ? view.usual[metric.key] : undefined;
    const line = shown.line(metric.key, all, first);
    const isBeyond = (point) => written(point) < scale[0] || written(point) > scale[1];
    const [cut, early] = [closed, open].map((some) => some.filter(isBeyond));
    const [inScale, openInScale] = [points, open].map((some) => some.filter((point) => !isBeyond(point)));
    const mark = (name) => ({ day, value }) => (
      place(createElement("span", `cut ${value > scale[1] ? "is-high" : "is-low"} ${name}`), day, shown));
    const levels = levelsOf(scale, metric);
    const label = describe(metric, { points, least, greatest, usual, cut, early }, shown);
    const since = usual && days.parse(view.since[metric.key]);
    const sideOf = (value) => (value > usual[1] ? [" ▲", ", above usual"] : value < usual[0] && [" ▼", ", below usual"]);
    const sides = new Map(closed.filter(({ day }) => day >= since).map((point) => [point.day, sideOf(written(point))]));
    const selected = createElement("span", "detail");
    const marker = createElement("span", "marker");
    const onclick = () => enlarge(!tall.has(metric.key));
    const button = createElement("button", { className: "is-data", type: "button", onclick }, metric.label);
    const { y } = charts.scales(scale, first, last);
    const isApart = (level) => scale.every((end) => Math.abs(y(level) - y(end)) > CLOSE);
    const numbers = (values, className) => values.map((each) =>
      createElement("span", { className, style: `inset-block-start: ${y(each)}%` }, text.level(each, metric)));
    const element = createElement(
      "div", `lane ${parts.toneOf(metric.key)}${last - first > MANY_DAYS ? " many" : ""}`,
      createElement("p", "lane-name", button, createElement("span", "", selected, " ", ...(cut.length > 0 ? [farthest(cut, scale, metric, shown)] : []))),
      createElement(
        "div", "plot",
        charts.lane(label, { points: inScale, means: line, reach, open: openInScale, scale, usual, since, first, last, ticks, isMinor, levels }),
        ...cut.map(mark("")), ...early.map(mark("is-early")),
        marker,
      ),
      createElement("p", "lane-range", ...numbers([...new Set(scale.toReversed())], "end"), ...numbers(levels.filter(isApart), "level")),
    );

    function enlarge(isTall) {
      tall[isTall ? "add" : "delete"](metric.key);
      element.classList.toggle("tall", isTall);
      button.setAttribute("aria-expanded", String(isTall));
    }

    enlarge(tall.has(metric.key));
    return { metric, all, points, marker, selected, cut, early, open, line, usual, sides, element, y };
  }

  // Says how to read the lanes: only what is there.
  function noteOf(shown, drawn, others) {
    const unmarked = drawn.filter(({ usual }) => usual === undefined).map(({ metric }) => metric.label);
    return [
      shown.points,
      shown.mean && drawn.some(({ line }) => days.runs(line, shown.reach).some((run) => run.length > 1)) && shown.mean,
      drawn.some(({ line }) => days.runs(line, shown.reach).length < days.runs(line).length) && "It is dashed across days without a value",
      drawn.length > unmarked.length && "The band is the usual range, over the days it is computed from (▲ or ▼ after a value: above or below it)",
      drawn.some(({ open }) => open.length > 0) && `A circle is a ${shown.one} that is not complete${drawn.some(({ early }) => early.length > 0) ? ", △ or ▽ one beyond the scale" : ""}`,
      "Each metric has its own scale",
      drawn.some(({ cut }) => cut.length > 0) && `In a lane ▲ and ▼ are ${shown.one}s beyond it`,
      drawn.length > unmarked.length && unmarked.length > 0 && `Too few values for a usual range: ${text.list(unmarked)}`,
      others.length > 0 && `Too few values for a lane: ${text.list(others)}`,
    ].filter(Boolean).map((each) => `${each}.`).join(" ");
  }

  // Shows the lanes; calls `onRange(first, key)` with the first day that the reader has chosen.
  function start(seen, onRange) {
    const { metrics, start: firstDay, latest, view } = seen;
    const cursor = byId("cursor");
    const count = latest - firstDay + 1;
    const choices = RANGES.filter((_, n) => n === 0 || RANGES[n - 1] < count)
      .map((range) => ofDays(seen, range, Math.min(range, count)));
    if (view.months !== undefined) choices.push(ofMonths(seen));
    let [shown, drawn, picked] = [choices[0], []]; // `picked` is the day or month that was chosen, if any

    const isOpen = (each) => metrics.some(({ key }) => shown.values.get(key).has(each) && shown.isOpen(key, each));

    const named = (format) => (each) => format(each) + (isOpen(each) ? ", not complete" : "");

    // Shows the values of a day or month; before one is chosen, the last of each metric.
    function choose(each, isFirst = false) {
      const chosen = drawn.map(({ metric, all, points, marker, selected, sides, y }) => {
        const at = isFirst ? points.at(-1).day : each;
        const value = all.has(at) ? `${text.value(all.get(at), metric)}${at === each ? "" : ` ${shown.on} ${shown.short(at)}`}` : text.NONE;
        const [mark, side] = sides.get(at) || ["", ""];
        selected.replaceChildren(value, mark, createElement("span", "visually-hidden", side));
        selected.classList.toggle("outside", mark !== "");
        const height = all.has(each) ? y(all.get(each)) : NaN;
        place(marker, each, shown).classList.toggle("has-value", height > 5 && height < 95); // or ▲ marks it
        marker.style.setProperty("--at", `${height}%`);
        return `${metric.label} ${value}${side}`;
      });
      byId("cursor-day").textContent = named(shown.long)(each);
      cursor.value = String(each - shown.first);
      cursor.setAttribute("aria-valuetext", `${named(shown.full)(each)}: ${chosen.join(", ")}`);
    }

    function pick(each) {
      picked = each;
      restore();
    }

    // Shows what was chosen, or else the last values, after the pointer has shown another day.
    const restore = () => choose(picked ?? shown.last, picked === undefined);

    function showTable() {
      const measured = metrics.filter(({ key }) => shown.values.get(key).size > 0);
      const columns = measured.map((metric) => ({
        key: metric.key, label: text.withUnit(metric),
        format: metric.unit === "hours" ? (each) => text.value(each, metric) : undefined,
      }));
      const from = shown.one === "day" ? Math.max(shown.first, firstDay) : shown.first;
      const rows = Array.from({ length: shown.last - from + 1 }, (_, n) => {
        const cells = measured.map(({ key }) => [key, shown.values.get(key).get(shown.last - n) ?? null]);
        return { when: shown.last - n, ...Object.fromEntries(cells) };
      });
      const when = { key: "when", label: page.sentence(shown.one), format: named(shown.full) };
      const caption = `All ${text.counted(rows.length, shown.one)}`;
      const summary = createElement("summary", "", `${caption} as a table`);
      byId("days").replaceChildren(summary, table.create(caption, [when, ...columns], rows));
    }

    function show(choice, isChosen = false) {
      shown = choice;
      picked = undefined;
      const { first, last } = shown;
      const all = Array.from({ length: last - first + 1 }, (_, n) => first + n);
      const share = (each) => (each - first) / (last - first);
      const written = (each) => labelOf(shown, each).length;
      const isEnd = (each) => each === first || each === last;
      const isFar = (end, each, letter) => Math.abs(share(each) - share(end)) > (written(end) + written(each) / 2 + 1) * letter;
      const isFree = (each, letter) => isEnd(each) || [first, last].every((end) => isFar(end, each, letter));
      const ticks = all.filter((each) => isEnd(each) || shown.isTick(each));
      const isMinor = (each) => !isEnd(each) && (shown.isMinor(each) || !isFree(each, NARROW_LETTER));
      const isShown = ({ key }) => days.within(shown.values.get(key), first, last).length > 1;
      const others = metrics.filter((metric) => shown.values.get(metric.key).size > 0 && !isShown(metric)).map(({ label }) => label);
      drawn = metrics.filter(isShown)
        .map((metric) => lane(metric, shown.values.get(metric.key), shown, ticks, isMinor, view));
      byId("lanes").replaceChildren(...drawn.map(({ element }) => element));
      byId("axis").replaceChildren(...axis(shown, ticks.filter((each) => isFree(each, LETTER)), isMinor));
      byId("trends-name").textContent = shown.title;
      byId("trends-note").textContent = noteOf(shown, drawn, others);
      for (const button of byId("ranges").children) {
        button.setAttribute("aria-pressed", String(button.textContent === shown.name));
      }
      cursor.max = String(last - first);
      restore();
      showTable();
      onRange(shown.one === "day" ? first : firstDay, shown.key);
      if (isChosen) history.replaceState(null, "", `#days=${count < choice.key ? "all" : choice.key}`);
    }

    byId("ranges").replaceChildren(...choices.map((choice) =>
      createElement("button", { type: "button", onclick: () => show(choice, true) }, choice.name)));
    cursor.addEventListener("input", () => pick(shown.first + Number(cursor.value)));
    document.addEventListener("keydown", ({ key }) => key === "Escape" && pick());
    window.addEventListener("beforeprint", restore);
    const follow = (event) => {
      const plot = event.target.closest(".plot");
      if (plot === null) {
        if (event.target.closest("p")) restore(); // between two lanes the day stays
        return;
      }
      const { left, width } = plot.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
      const each = shown.first + Math.round(share * (shown.last - shown.first));
      (event.buttons > 0 ? pick : choose)(each);
    };
    for (const type of ["pointermove", "pointerdown"]) byId("lanes").addEventListener(type, follow);
    byId("lanes").addEventListener("pointerleave", restore);
    setVisible("ranges", choices.length > 1);
    const ofAddress = () => choices.find(({ key }) => location.hash === `#days=${key}`)
      ?? choices.at(location.hash === "#days=all" ? -1 : Math.min(1, choices.length - 1));
    window.addEventListener("hashchange", () => show(ofAddress()));
    show(ofAddress());
  }

  return { start };
})();

// Values of the API as text: numbers with units, durations, days, lists.
const text = (() => {
  const NONE = "no data";

  const { counted, formatList: list, formatNumber: number } = page;

  function named(options) {
    const format = page.timeFormat({ timeZone: "UTC", ...options });
    return (day) => format(days.dateOf(day));
  }

  const short = named({ day: "numeric", month: "short" });
  const dated = named({ day: "numeric", month: "short", year: "numeric" });
  const month = named({ month: "short" });
  const monthAndYear = named({ month: "short", year: "numeric" });
  const weekday = named({ weekday: "short", day: "numeric", month: "short", year: "numeric" });

  // Returns the unit after a number; a unit that the label has already is left out.
  const unitOf = ({ label, unit }) => (unit === label.toLowerCase() ? "" : unit);

  // Rounds as `round` of Python does, so that the page has the numbers of the API: exactly, and a
  // half to the even side.  What is counted has no decimals (WHOLE_UNITS), all else has one.
  function precise(amount, { unit }) {
    if (unit === "hours") return Number(amount.toFixed(2)); // which is to the minute
    const decimals = WHOLE_UNITS.has(unit) ? 0 : 1;
    const size = Math.abs(amount);
    const isDown = size % (2 - decimals) === 0.5 - decimals / 4; // a half like 2.5 or 7.25
    return Math.sign(amount) * (isDown ? Math.trunc(size) + decimals / 5 : Number(size.toFixed(decimals))) + 0;
  }

  // Writes a number with the decimals that the values of its metric have, if they are known.
  function amount(each, metric) {
    const minimumFractionDigits = metric.decimals ?? 0;
    return precise(each, metric).toLocaleString(page.LANGUAGE, { minimumFractionDigits }).replace("-", "−");
  }

  // Writes minutes as "54 min" or "6 h 06 min".
  function duration(minutes) {
    const whole = Math.round(minutes);
    return whole < 60 ? `${whole} min` : `${number(Math.floor(whole / 60))} h ${String(whole % 60).padStart(2, "0")} min`;
  }

  const level = (each, metric) => (metric.unit === "hours" ? duration(each * 60) : amount(each, metric));
  const value = (each, metric) => `${level(each, metric)} ${metric.unit === "hours" ? "" : unitOf(metric)}`.trim();
  const range = (ends, metric) => ends.map((each) => level(each, metric)).join(" to ");

  // Returns the time of day in a local time such as 2024-01-01T23:02:00.000; "" without one.
  const clock = (time) => /[T ](\d\d:\d\d)/.exec(time ?? "")?.[1] ?? "";

  // Writes a day, a local time of a day or a time of any day, like 2026-01-31, 2026-01-31T08:02:11.000
  // or 06:30+01:00; returns undefined for any other value.
  function moment(each, format = dated) {
    const [, date, time] = /^(\d{4}-[01]\d-[0-3]\d)?(?:(?:^|T)(\d\d:\d\d)[\d:.+Z-]*)?$/.exec(each) ?? [];
    const at = days.parse(date); // of a day that no calendar has, NaN or another day
    return [Number.isFinite(at) && days.dateOf(at).toISOString().startsWith(date) && format(at), time].filter(Boolean).join(", ") || undefined;
  }

  const words = (key) => page.sentence(key.replaceAll("_", " ")).replace(/^(Http|Rem)\b/, (each) => each.toUpperCase());

  // Returns a metric of the API by its key; a key of anything else gives its words.
  const metricOf = (key) => ({ label: words(key), unit: "", ...METRICS[key] });

  // Names a column; hours have their unit.
  const withUnit = (metric) => [metric.label, unitOf(metric)].filter((each) => !["", "hours"].includes(each)).join(", ");

  return {
    NONE, amount, clock, counted, dated, duration, level, list, metricOf, moment, month,
    monthAndYear, number, precise, range, short, unitOf, value, weekday, withUnit, words,
  };
})();

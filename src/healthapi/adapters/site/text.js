// Values of the API as text: numbers with units, durations, days, lists.
const text = (() => {
  const NONE = "no data";

  const number = new Intl.NumberFormat(page.LANGUAGE, { maximumFractionDigits: 1 });

  function named(options) {
    const format = page.timeFormat({ timeZone: "UTC", ...options });
    return (day) => format(days.dateOf(day));
  }

  const short = named({ day: "numeric", month: "short" });
  const dated = named({ day: "numeric", month: "short", year: "numeric" });
  const month = named({ month: "short" });
  const monthAndYear = named({ month: "short", year: "numeric" });
  const weekday = named({ weekday: "long", day: "numeric", month: "short", year: "numeric" });

  function duration(minutes) {
    const whole = Math.round(minutes);
    const [hours, rest] = [Math.floor(whole / 60), whole % 60];
    if (hours === 0) return `${rest} min`;
    return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
  }

  // Returns the unit after a number; a unit that the label has already is left out.
  const unitOf = ({ label, unit }) => (unit === label.toLowerCase() ? "" : unit);

  // Metrics that are counted are shown as whole numbers, also their means; others with one decimal.
  const WHOLE_UNITS = new Set(["steps", "min", "kcal"]);

  const precise = (amount, { unit }) => (WHOLE_UNITS.has(unit) ? Math.round(amount) : Math.round(amount * 10) / 10);

  const amount = (each, metric) => number.format(precise(each, metric));

  function value(each, metric) {
    return [amount(each, metric), unitOf(metric)].join(" ").trim();
  }

  const range = ([low, high], metric) => `${amount(low, metric)} to ${amount(high, metric)}`;

  // Returns the time of day in a local time such as 2024-01-01T23:02:00.000; "" without one.
  const clock = (time) => /[T ](\d\d:\d\d)/.exec(time ?? "")?.[1] ?? "";

  const counted = (count, one, many = `${one}s`) => `${number.format(count)} ${count === 1 ? one : many}`;

  const listing = new Intl.ListFormat("en", { type: "conjunction" });

  // Writes a day like 2026-01-31; returns undefined for any other value.
  const day = (each) => (/^\d{4}-\d\d-\d\d$/.test(each) ? dated(days.parse(each)) : undefined);

  function words(key) {
    const spaced = key.charAt(0).toUpperCase() + key.slice(1).replaceAll("_", " ");
    return spaced.replace(/\b(hrv|rem|rhr|rmssd)\b/gi, (each) => each.toUpperCase());
  }

  return {
    NONE, amount, clock, counted, dated, day, duration, list: (parts) => listing.format(parts), month,
    monthAndYear, number: (each) => number.format(each), range, short, unitOf, value, weekday, words,
  };
})();

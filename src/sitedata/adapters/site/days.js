"use strict";
// Days as numbers and as text.  A day is YYYY-MM-DD in the years 0000 to 9999, or the number of days
// since the epoch.  A port of the days of sitedata.reading.times.
const days = (() => {
  const DAY_MS = 86_400_000;
  const WEEK = 7;
  const THURSDAY = 3; // the epoch's day of the week, counted from Monday
  const FORM = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;

  const write = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

  // Returns the number of a day, or null for text that is no day of the calendar.
  function read(text) {
    if (!FORM.test(text)) return null;
    const day = Date.parse(`${text}T00:00:00Z`) / DAY_MS;
    return Number.isNaN(day) || write(day) !== text ? null : day;
  }

  const weekday = (day) => (((day + THURSDAY) % WEEK) + WEEK) % WEEK; // from Monday
  const mondayOf = (day) => day - weekday(day);

  const FIRST = read("0000-01-01");
  const LAST = read("9999-12-31");

  // ---- text

  const formats = new Map();

  function format(day, options) {
    const key = JSON.stringify(options);
    if (!formats.has(key)) {
      formats.set(key, page.timeFormat({ ...options, timeZone: "UTC" }));
    }
    // Of the years before 1000 the plain text is shown, because formats omit leading zeros.
    const text = write(day);
    return text < "1000" ? text : formats.get(key)(day * DAY_MS);
  }

  const DATE = { day: "numeric", month: "short", year: "numeric" };

  const short = (day) => format(day, DATE);
  const long = (day) => format(day, { weekday: "long", ...DATE });
  const monthName = (day) => format(day, { month: "short" });
  const monthAndYear = (day) => format(day, { month: "short", year: "numeric" });
  const weekdayName = (day) => format(day, { weekday: "short" });

  return {
    DAY_MS, FIRST, LAST, WEEK, long, monthAndYear, monthName, mondayOf, read, short,
    weekday, weekdayName, write,
  };
})();

if (typeof module === "object") module.exports = days;

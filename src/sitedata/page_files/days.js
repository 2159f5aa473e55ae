// Days as numbers and as text.  A day is YYYY-MM-DD in the years 0001 to 9999, or the number of days
// since the epoch.  A port of parse_day and format_day.
const days = (() => {
  const DAY_MS = 86_400_000;
  const FORM = /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/;
  const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

  const write = (day) => new Date(day * DAY_MS).toISOString().slice(0, 10);

  // Returns the number of a day, or null for text that is no day of the calendar.
  function read(text) {
    if (!FORM.test(text)) return null;
    const day = Date.parse(`${text}T00:00:00Z`) / DAY_MS;
    return Number.isNaN(day) || write(day) !== text || text < "0001" ? null : day;
  }

  // Writes the month of a day of text, as "Jan 2026", and the day, as "9 Jan 2026".
  const monthAndYear = (text) => `${MONTHS[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`;
  const short = (text) => `${Number(text.slice(8))} ${monthAndYear(text)}`;

  return { DAY_MS, monthAndYear, read, short, write };
})();

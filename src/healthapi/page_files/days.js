// Days as whole numbers since 1970-01-01, and the values of a metric by day.  A day without a value
// is missing in a series, never 0.
const days = (() => {
  const DAY_MS = 86_400_000;
  const MEAN_DAYS = 7;
  const LEAST_VALUES = 3;
  const MONTHS = 12;

  const parse = (text) => Date.parse(`${text}T00:00:00Z`) / DAY_MS;
  const dateOf = (day) => new Date(day * DAY_MS);

  // Months are whole numbers, too, so that what is drawn for days is drawn for months.
  const parseMonth = (text) => Number(text.slice(0, 4)) * MONTHS + Number(text.slice(5, 7)) - 1;
  const monthStart = (month) => Date.UTC(Math.floor(month / MONTHS), month % MONTHS) / DAY_MS;

  // Returns today where the person lives, or else where the reader is.
  function today(timeZone) {
    const dayIn = (zone) => parse(new Intl.DateTimeFormat("en-CA", { timeZone: zone }).format(Date.now()));
    try {
      return dayIn(timeZone ?? undefined);
    } catch {
      return dayIn(undefined); // a zone that the browser does not know
    }
  }

  // Returns a map of day or month to value, for one metric of the points of a series.
  function valuesOf(points, key) {
    const present = points.filter((point) => typeof point[key] === "number");
    return new Map(present.map(({ date, period, [key]: value }) => [
      date === undefined ? parseMonth(period) : parse(date), value,
    ]));
  }

  // Returns the values of the days from first to last, ascending, as {day, value}.
  function within(values, first, last) {
    return Array.from({ length: last - first + 1 }, (_, n) => first + n)
      .filter((day) => values.has(day))
      .map((day) => ({ day, value: values.get(day) }));
  }

  // Returns the mean over seven days for each day with a value of which the seven days have three.
  function means(values, first, last) {
    return within(values, first, last).flatMap(({ day }) => {
      const week = within(values, day - MEAN_DAYS + 1, day);
      const sum = week.reduce((total, { value }) => total + value, 0);
      return week.length < LEAST_VALUES ? [] : [{ day, value: sum / week.length }];
    });
  }

  // Splits points into runs of days that are at most `reach` apart.
  function runs(points, reach = 1) {
    const found = [];
    for (const point of points) {
      const run = found.at(-1);
      if (run?.at(-1).day >= point.day - reach) run.push(point);
      else found.push([point]);
    }
    return found;
  }

  function extremes(points) {
    const sorted = points.toSorted((one, other) => one.value - other.value);
    return { least: sorted[0], greatest: sorted.at(-1) };
  }

  return {
    dateOf, extremes, MEAN_DAYS, means, MONTHS, monthStart, parse, parseMonth, runs, today,
    valuesOf, within,
  };
})();

// The trends: a lane for each metric on one time axis.  The reader chooses how many days are shown,
// and a day whose values stand beside the lanes.
const trends = (() => {
  const RANGES = [30, 90, 365];
  const WEEK = 7;
  const MANY_DAYS = 120; // from which on points are smaller
  const MIN_SHARE = 0.11; // of the width, between a tick and the ends of the axis
  const NARROW_SHARE = 0.26; // on a phone

  const { byId, createElement } = page;

  // Returns the days with a label: both ends, and weeks or months between them.
  function ticksOf(first, last) {
    const inner = [];
    for (let day = first + 1; day < last; day += 1) {
      const isTick = last - first < 2 * RANGES[0]
        ? (last - day) % WEEK === 0
        : days.dateOf(day).getUTCDate() === 1;
      const share = (day - first) / (last - first);
      if (isTick && Math.min(share, 1 - share) >= MIN_SHARE) inner.push(day);
    }
    return inner;
  }

  function axisLabel(day, first, last, content, name) {
    const label = createElement("span", name, content);
    label.style.insetInlineStart = `${((day - first) / (last - first)) * 100}%`;
    return label;
  }

  function axis(first, last, inner) {
    const isYear = last - first > MANY_DAYS;
    const format = isYear ? text.month : text.short;
    return [
      axisLabel(first, first, last, isYear ? text.dated(first) : text.short(first), "start"),
      ...inner.map((day, n) => {
        const share = (day - first) / (last - first);
        const isMinor = Math.min(share, 1 - share) < NARROW_SHARE || (isYear && n % 3 !== 0);
        return axisLabel(day, first, last, format(day), isMinor ? "minor" : "");
      }),
      axisLabel(last, first, last, text.short(last), "end"),
    ];
  }

  function describe(metric, points, means, first, last) {
    const { least, greatest } = days.extremes(points);
    return `${metric.label}, ${text.dated(first)} to ${text.dated(last)}: `
      + `${points.length} of ${last - first + 1} days have a value, `
      + `least ${text.value(least.value, metric)} on ${text.short(least.day)}, `
      + `greatest ${text.value(greatest.value, metric)} on ${text.short(greatest.day)}, `
      + `last 7-day mean ${text.value(means.at(-1).value, metric)}.`;
  }

  function lane(metric, values, first, last, inner) {
    const points = days.within(values, first, last);
    const means = days.means(values, first, last);
    const { least, greatest } = days.extremes(points);
    const picture = charts.lane(describe(metric, points, means, first, last), points, means, first, last, inner);
    const selected = createElement("span", "detail");
    const marker = createElement("span", "marker");
    return {
      metric, values, marker, selected,
      element: createElement(
        "div", `lane ${parts.toneOf(metric.key)}${last - first > MANY_DAYS ? " many" : ""}`,
        createElement("p", "lane-name", metric.label, selected),
        createElement("div", "plot", picture, marker),
        createElement("p", "lane-range", createElement("span", "", text.amount(greatest.value, metric)), createElement("span", "", text.amount(least.value, metric))),
      ),
    };
  }

  // Shows the lanes; calls `onRange(first, last)` when the reader chooses a range.
  function start({ series, values, start: firstDay, latest }, onRange) {
    const cursor = byId("cursor");
    let [first, drawn] = [latest, []];

    function choose(day) {
      const chosen = drawn.map(({ metric, values: all, marker, selected }) => {
        const value = all.has(day) ? text.value(all.get(day), metric) : text.NONE;
        selected.textContent = value;
        marker.style.insetInlineStart = `${((day - first) / (latest - first)) * 100}%`;
        return `${metric.label} ${value}`;
      });
      byId("cursor-day").textContent = text.weekday(day);
      cursor.value = String(day - first);
      cursor.setAttribute("aria-valuetext", `${text.dated(day)}: ${chosen.join(", ")}`);
    }

    function dayRows() {
      return Array.from({ length: latest - first + 1 }, (_, n) => {
        const day = latest - n;
        const cells = series.metrics.map(({ key }) => [key, values.get(key).get(day) ?? null]);
        return { date: day, ...Object.fromEntries(cells) };
      });
    }

    function showTable() {
      const columns = series.metrics.map((metric) => {
        const unit = text.unitOf(metric);
        return { key: metric.key, label: unit === "" ? metric.label : `${metric.label}, ${unit}` };
      });
      const date = { key: "date", label: "Day", format: text.dated };
      const summary = byId("days").querySelector("summary");
      byId("days").replaceChildren(summary, ...table.create("All days", [date, ...columns], dayRows()));
    }

    function show(range) {
      first = latest - range + 1;
      const inner = ticksOf(first, latest);
      const isShown = ({ key }) => days.within(values.get(key), first, latest).length > 1;
      const shown = series.metrics.filter(isShown);
      const others = series.metrics.filter((metric) => !isShown(metric)).map(({ label }) => label);
      drawn = shown.map((metric) => lane(metric, values.get(metric.key), first, latest, inner));
      byId("lanes").replaceChildren(...drawn.map(({ element }) => element));
      byId("axis").replaceChildren(...axis(first, latest, inner));
      byId("trends-name").textContent = `${range} days to ${text.dated(latest)}`;
      byId("trends-note").textContent = "Points are days, the line is the mean of the values of 7 days. Each metric has its own scale, from its least to its greatest value at the right. Days without a value stay empty."
        + (others.length > 0 ? ` Not measured on two of these days: ${text.list(others)}.` : "");
      for (const button of byId("ranges").children) {
        button.setAttribute("aria-pressed", String(button.textContent === `${range} days`));
      }
      cursor.max = String(range - 1);
      choose(latest);
      showTable();
      onRange(first, latest);
    }

    byId("ranges").replaceChildren(...RANGES.map((range) => {
      const button = createElement("button", "", `${range} days`);
      button.type = "button";
      button.addEventListener("click", () => show(range));
      return button;
    }));
    cursor.addEventListener("input", () => choose(first + Number(cursor.value)));
    const follow = (event) => {
      const plot = event.target.closest(".plot");
      if (plot === null) return;
      const { left, width } = plot.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
      choose(first + Math.round(share * (latest - first)));
    };
    byId("lanes").addEventListener("pointermove", follow);
    byId("lanes").addEventListener("pointerdown", follow);
    show(latest - firstDay < RANGES[0] ? RANGES[0] : RANGES[1]);
  }

  return { start };
})();

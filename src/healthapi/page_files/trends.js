// The trends: a lane for each metric on one axis of days or months.  The reader chooses how much is
// shown, and a day or month whose values stand beside the lanes.
const trends = (() => {
  const RANGES = [30, 90, 365];
  const WEEK = 7;
  const QUARTER = 3;
  const MANY_DAYS = 120; // from which on points are smaller
  const MIN_SHARE = 0.13; // of the width, between a tick and the ends of the axis
  const NARROW_SHARE = 0.33; // on a phone
  const CHARACTERS = 8; // that have space in these shares
  const MAX_YEARS = 8; // ticks of many years
  const YEAR_STEPS = [1, 2, 5, 10, 20, 50];

  const { byId, createElement } = page;
  const { monthStart, MONTHS } = days;

  // What is shown: `first` to `last` are days or months, `name` is that of its button, `key` that
  // of its scales; `values` are maps by metric, `isOpen` checks whether a value is not complete.
  function ofDays({ values, latest, view }, range) {
    const isYear = range > MANY_DAYS;
    const isTick = (day) => (range < 2 * RANGES[0]
      ? (latest - day) % WEEK === 0
      : days.dateOf(day).getUTCDate() === 1);
    const isOpen = (key, day) => day === latest && view.unfinished.includes(key);
    return {
      name: `${range} days`, key: String(range), one: "day", first: latest - range + 1, last: latest,
      values, isOpen, isTick, long: text.weekday, full: text.dated,
      start: isYear ? text.dated : text.short, end: text.short, tick: isYear ? text.month : text.short,
      title: `${range} days to ${text.dated(latest)}: each day, and the mean of seven`,
      points: "Points are days, the line is the mean of the values of 7 days",
      // A day that is not over is no part of a mean.
      line: (key, all, first) => days.means(
        new Map([...all].filter(([day]) => !isOpen(key, day))), first, latest,
      ),
    };
  }

  function ofMonths({ series, view: { months } }) {
    const [first, last] = [months.points[0], months.points.at(-1)].map(({ period }) => days.parseMonth(period));
    const partial = months.partial.map(days.parseMonth);
    const years = (last - first) / MONTHS;
    const step = MONTHS * YEAR_STEPS.find((each) => years / each <= MAX_YEARS);
    const written = (format) => (month) => format(monthStart(month));
    const full = written(text.monthAndYear);
    return {
      name: "All", key: "all", one: "month", first, last,
      values: new Map(series.metrics.map(({ key }) => [key, days.valuesOf(months.points, key)])),
      isOpen: (_key, month) => partial.includes(month),
      isTick: (month) => month % (years <= QUARTER ? QUARTER : step) === 0,
      long: full, full, start: full, end: full,
      tick: (month) => (month % MONTHS === 0 ? String(month / MONTHS) : written(text.month)(month)),
      title: `All ${text.counted(last - first + 1, "month")} to ${full(last)}: the mean of each`,
      points: "Points are the means of months",
      line: (_key, all, from) => days.within(all, from, last),
    };
  }

  // Returns what has a label between both ends of the axis.
  function ticksOf({ first, last, isTick }) {
    return Array.from({ length: Math.max(0, last - first - 1) }, (_, n) => first + 1 + n)
      .filter((each) => isTick(each) && shareToEnd(each, first, last) >= MIN_SHARE);
  }

  function shareToEnd(each, first, last) {
    const share = (each - first) / (last - first);
    return Math.min(share, 1 - share);
  }

  function place(element, each, { first, last }) {
    element.style.insetInlineStart = `${((each - first) / (last - first)) * 100}%`;
    return element;
  }

  function axis(shown, ticks) {
    const { first, last } = shown;
    const isYear = last - first > MANY_DAYS && shown.one === "day";
    const label = (each, content, name) => place(createElement("span", name, content), each, shown);
    return [
      label(first, shown.start(first), "start"),
      ...ticks.map((each, n) => {
        const isMinor = shareToEnd(each, first, last) < NARROW_SHARE || (isYear && n % 3 !== 0);
        return label(each, shown.tick(each), isMinor ? "minor" : "");
      }),
      label(last, shown.end(last), "end"),
    ];
  }

  function describe(metric, points, line, usual, cut, shown) {
    const { least, greatest } = days.extremes(points);
    const { first, last, one, full } = shown;
    return [
      `${metric.label}, ${full(first)} to ${full(last)}: `
        + `${points.length} of ${text.counted(last - first + 1, one)} have a value`,
      `least ${text.value(least.value, metric)} on ${full(least.day)}`,
      `greatest ${text.value(greatest.value, metric)} on ${full(greatest.day)}`,
      ...(one === "day" && line.length > 0 ? [`last 7-day mean ${text.value(line.at(-1).value, metric)}`] : []),
      ...(usual === undefined ? [] : [`usual range ${text.range(usual, metric)}`]),
      ...(cut.length > 0 ? [`beyond the scale: ${text.list(cut.map(({ day, value }) => `${text.value(value, metric)} on ${full(day)}`))}`] : []),
    ].join(", ") + ".";
  }

  // Returns the marks of values beyond the scale.  The number of each stands beside it where it meets
  // no other mark and no other number; the farthest are placed first.
  function marks(cut, [low, high], metric, shown) {
    const share = ({ day }) => (day - shown.first) / (shown.last - shown.first);
    const beyond = ({ value }) => Math.max(low - value, value - high);
    const sideOf = ({ value }) => (value > high ? "is-high" : "is-low");
    const written = [];
    return cut.toSorted((one, other) => beyond(other) - beyond(one)).map((point) => {
      const [own, side] = [share(point), sideOf(point)];
      const others = cut.filter((other) => other !== point && sideOf(other) === side).map(share);
      const isFree = ({ start, end }) => start >= 0 && end <= 1
        && !others.some((each) => each >= start && each <= end)
        && !written.some((each) => each.side === side && each.start <= end && start <= each.end);
      const content = text.amount(point.value, metric);
      const before = (width) => ({ side, start: own - width, end: own, late: "is-late" });
      const after = (width) => ({ side, start: own, end: own + width, late: "" });
      const places = [NARROW_SHARE, MIN_SHARE].flatMap((width) => (
        (own > 0.5 ? [before, after] : [after, before])
          .map((at) => ({ ...at(width * (content.length + 2) / CHARACTERS), isMinor: width < NARROW_SHARE }))
      ));
      const found = places.find(isFree);
      const mark = place(createElement("span", `cut ${side} ${found?.late ?? ""}`.trim()), point.day, shown);
      if (found !== undefined) {
        mark.append(createElement("span", found.isMinor ? "minor" : "", content));
        written.push(found);
      }
      return mark;
    });
  }

  function lane(metric, all, shown, ticks, view) {
    const { first, last } = shown;
    const points = days.within(all, first, last);
    const { least, greatest } = days.extremes(points);
    const written = ({ value }) => text.precise(value, metric); // so no mark has the number of an end
    const scale = view.scales[shown.key]?.[metric.key] ?? [least, greatest].map(written);
    const usual = view.usual[metric.key];
    const line = shown.line(metric.key, all, first);
    const cut = points.filter((point) => written(point) < scale[0] || written(point) > scale[1]);
    const open = points.filter(({ day }) => shown.isOpen(metric.key, day));
    const label = describe(metric, points, line, usual, cut, shown);
    const selected = createElement("span", "detail");
    const marker = createElement("span", "marker");
    const plot = createElement(
      "div", "plot",
      charts.lane(label, { points, line, open, scale, usual, first, last, ticks }),
      ...marks(cut, scale, metric, shown), marker,
    );
    plot.classList.toggle("has-high", cut.some(({ value }) => value > scale[1]));
    plot.classList.toggle("has-low", cut.some(({ value }) => value < scale[0]));
    return {
      metric, all, marker, selected, cut, open, usual,
      element: createElement(
        "div", `lane ${parts.toneOf(metric.key)}${last - first > MANY_DAYS ? " many" : ""}`,
        createElement("p", "lane-name", metric.label, selected),
        plot,
        createElement("p", "lane-range", ...text.alike(scale.toReversed(), metric).map((end) => createElement("span", "", end))),
      ),
    };
  }

  // Says how to read the lanes: only what is there.
  function noteOf(shown, drawn, others) {
    const unmarked = drawn.filter(({ usual }) => usual === undefined).map(({ metric }) => metric.label);
    return [
      shown.points,
      drawn.length > unmarked.length && "The band is the usual range of days",
      unmarked.length > 0 && `Too few values for a usual range: ${text.list(unmarked)}`,
      "Each metric has its own scale; its ends stand at the right",
      drawn.some(({ cut }) => cut.length > 0) && `▲ and ▼ are ${shown.one}s beyond it`,
      drawn.some(({ open }) => open.length > 0) && `A circle is a ${shown.one} that is not complete`,
      "What has no value stays empty",
      others.length > 0 && `Fewer than two values, so without a lane: ${text.list(others)}`,
    ].filter(Boolean).map((each) => `${each}.`).join(" ");
  }

  // Shows the lanes; calls `onRange(first, last, isAll)` with the days that the reader has
  // chosen, or the last of all.
  function start(seen, onRange) {
    const { series, start: firstDay, latest, view } = seen;
    const cursor = byId("cursor");
    const choices = RANGES.map((range) => ofDays(seen, range));
    if (view.months !== undefined) choices.push(ofMonths(seen));
    let [shown, drawn] = [choices[0], []];

    const isOpen = (each) => series.metrics.some(({ key }) => shown.values.get(key).has(each) && shown.isOpen(key, each));

    const named = (format) => (each) => format(each) + (isOpen(each) ? ", not complete" : "");

    function choose(each) {
      const chosen = drawn.map(({ metric, all, marker, selected }) => {
        const value = all.has(each) ? text.value(all.get(each), metric) : text.NONE;
        selected.textContent = value;
        place(marker, each, shown);
        return `${metric.label} ${value}`;
      });
      byId("cursor-day").textContent = named(shown.long)(each);
      cursor.value = String(each - shown.first);
      cursor.setAttribute("aria-valuetext", `${named(shown.full)(each)}: ${chosen.join(", ")}`);
    }

    function showTable() {
      const measured = series.metrics.filter(({ key }) => shown.values.get(key).size > 0);
      const columns = measured.map((metric) => {
        const unit = text.unitOf(metric);
        return { key: metric.key, label: unit === "" ? metric.label : `${metric.label}, ${unit}` };
      });
      const from = shown.one === "day" ? Math.max(shown.first, firstDay) : shown.first;
      const rows = Array.from({ length: shown.last - from + 1 }, (_, n) => {
        const cells = measured.map(({ key }) => [key, shown.values.get(key).get(shown.last - n) ?? null]);
        return { when: shown.last - n, ...Object.fromEntries(cells) };
      });
      const when = { key: "when", label: page.sentence(shown.one), format: named(shown.full) };
      const summary = byId("days").querySelector("summary");
      const caption = `All ${shown.one}s`;
      summary.textContent = `${caption} as a table`;
      byId("days").replaceChildren(summary, ...table.create(caption, [when, ...columns], rows));
    }

    function show(choice) {
      shown = choice;
      const { first, last } = shown;
      const ticks = ticksOf(shown);
      const isShown = ({ key }) => days.within(shown.values.get(key), first, last).length > 1;
      const others = series.metrics.filter((metric) => !isShown(metric)).map(({ label }) => label);
      drawn = series.metrics.filter(isShown)
        .map((metric) => lane(metric, shown.values.get(metric.key), shown, ticks, view));
      byId("lanes").replaceChildren(...drawn.map(({ element }) => element));
      byId("axis").replaceChildren(...axis(shown, ticks));
      byId("trends-name").textContent = shown.title;
      byId("trends-note").textContent = noteOf(shown, drawn, others);
      for (const button of byId("ranges").children) {
        button.setAttribute("aria-pressed", String(button.textContent === shown.name));
      }
      cursor.max = String(last - first);
      choose(last);
      showTable();
      onRange(shown.one === "day" ? first : latest - RANGES.at(-1) + 1, latest, shown.one === "month");
    }

    byId("ranges").replaceChildren(...choices.map((choice) => {
      const button = createElement("button", "", choice.name);
      button.type = "button";
      button.addEventListener("click", () => show(choice));
      return button;
    }));
    cursor.addEventListener("input", () => choose(shown.first + Number(cursor.value)));
    const follow = (event) => {
      const plot = event.target.closest(".plot");
      if (plot === null) return;
      const { left, width } = plot.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - left) / width));
      choose(shown.first + Math.round(share * (shown.last - shown.first)));
    };
    byId("lanes").addEventListener("pointermove", follow);
    byId("lanes").addEventListener("pointerdown", follow);
    show(choices[latest - firstDay < RANGES[0] ? 0 : 1]);
  }

  return { start };
})();

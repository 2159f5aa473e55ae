// Shows one profile: the data of the document fill the page.  Where there is nothing to show, one
// sentence says so.
(() => {
  const DAILY = ["sentence", "first", "day", "metrics", "usual", "trends", "missing"];

  const { byId, setOptionalText, setVisible } = page;
  const embedded = (id) => JSON.parse(byId(id).textContent);

  // Fills an element; one without content is hidden.
  function fill(id, content) {
    byId(id).replaceChildren(...content);
    setVisible(id, content.length > 0);
  }

  function show(dashboard, series) {
    const { latest_date: latestDate } = dashboard.overview;
    fill("body", parts.account({ dashboard }));
    fill("tables", parts.tables({ dashboard }));
    setVisible("content", true);
    if (latestDate === null) {
      for (const id of DAILY) setVisible(id, false);
      return;
    }
    const view = embedded("view");
    const latest = days.parse(latestDate);
    const today = days.today(dashboard.profile.timezone);
    const start = days.parse(view.start);
    // The series has sleep in tenths of hours; minutes asleep are exact.
    const values = new Map(series.metrics.map(({ key }) => [key, days.valuesOf(series.points, key)]));
    values.set("sleep_hours", new Map([...values.get("minutes_asleep")].map(([day, minutes]) => [day, minutes / 60])));
    const shown = (metric) => ({ ...metric, decimals: view.decimals[metric.key] });
    const metrics = series.metrics.filter(({ key }) => key !== "minutes_asleep").map(shown);
    const isPartial = view.unfinished.some((key) => values.get(key).has(latest));
    const cards = new Map(dashboard.stats.map((card) => [card.key, shown(card)]));
    const isRecent = latest === today || latest === today - 1;
    const isNamed = !isRecent && view.sentence.then.startsWith("As of"); // the day is in the sentence
    const seen = { dashboard, metrics, values, cards, start, latest, today, isNamed, isPartial, view };
    const shares = parts.shownCards(seen).map((card) => days.parse(card.latest_date) === latest);
    seen.isMixed = shares.filter(Boolean).length * 2 <= shares.length;
    for (const id of ["recovery", "night", "metrics"]) fill(id, parts[id](seen));
    setVisible("first", ["recovery", "night"].some((id) => byId(id).hasChildNodes()));
    setOptionalText("sentence", (isRecent ? view.sentence.now : view.sentence.then));
    const past = isRecent ? "Yesterday" : `Latest day · ${text.dated(latest)}`;
    const name = `${latest === today ? "Today" : past}${isPartial ? " · not complete" : ""}`;
    byId("day").textContent = seen.isMixed ? "Latest values" : name;
    const showMissing = (first, range) => {
      const count = latest - first + 1;
      byId("period").textContent = `Health data of ${text.counted(count, "day")}, ${count === 1 ? "" : `${text.dated(first)} to `}${text.dated(latest)}`;
      fill("missing", parts.missing(seen, range, count));
    };
    const hasTrends = start < latest;
    setVisible("trends", hasTrends);
    if (hasTrends) trends.start(seen, showMissing);
    else showMissing(latest, Object.keys(view.gaps)[0]);
    setVisible("lines", document.querySelector(".sparkline") !== null);
    setVisible("usual", Object.keys(view.usual).length > 0);
    setVisible("day", byId("metrics").children.length > 0);
    byId("age").textContent = `Data to ${text.dated(latest)}.`;
  }

  if (byId("view") !== null) show(embedded("dashboard").data, embedded("series").data); // else there is a message
})();

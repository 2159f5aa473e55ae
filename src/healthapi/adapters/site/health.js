// Shows one profile: reads two resources of the API, or the data in the document, and fills the page.
// Where there is nothing to show, one sentence says so.
(() => {
  const TIMEOUT_MS = 30_000; // of a request
  const UNREADABLE = "The data cannot be read at the moment. Load the page again later.";
  const MESSAGES = new Map([
    ["profile_not_found", "There is no public profile here."],
    ["service_unavailable", UNREADABLE],
  ]);
  const LOADING = "The data are being read.";
  const EMPTY = "This profile has no days with data yet.";
  const DAILY = ["first", "without", "day", "metrics", "usual", "trends", "missing"];

  const { byId, setOptionalText, setVisible } = page;
  const { api, series: seriesTarget } = byId("main").dataset;

  async function request(target) {
    const response = await fetch(`${api}/${target}`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const { data, error } = await response.json();
    if (!response.ok) throw new Error(MESSAGES.get(error?.code) ?? UNREADABLE);
    return data;
  }

  const embedded = (id) => JSON.parse(byId(id).textContent).data;

  function read() {
    if (byId("dashboard") !== null) return Promise.all(["dashboard", "series"].map(embedded));
    return Promise.all([request("dashboard"), request(seriesTarget)]);
  }

  // Fills an element; one without content is hidden.
  function fill(id, content) {
    byId(id).replaceChildren(...content);
    setVisible(id, content.length > 0);
  }

  function show(dashboard, series) {
    const { latest_date: latestDate } = dashboard.overview;
    fill("body", parts.account({ dashboard }));
    fill("tables", parts.tables({ dashboard }));
    setOptionalText("message", latestDate === null ? EMPTY : "");
    setVisible("content", true);
    if (latestDate === null) {
      for (const id of DAILY) setVisible(id, false);
      return;
    }
    const latest = days.parse(latestDate);
    const today = days.today(dashboard.profile.timezone);
    const start = days.parse(dashboard.coverage.daily.start_date);
    const values = new Map(series.metrics.map(({ key }) => [key, days.valuesOf(series.points, key)]));
    const cards = new Map(dashboard.stats.map((card) => [card.key, card]));
    const seen = { dashboard, series, values, cards, start, latest, today };
    fill("recovery", parts.recovery(seen));
    fill("night", parts.night(seen));
    setVisible("first", ["recovery", "night"].some((id) => byId(id).hasChildNodes()));
    setOptionalText("without", parts.without(seen).join(" "));
    fill("metrics", parts.metrics(seen));
    const isRecent = latest === today || latest === today - 1;
    const name = latest === today ? "Today" : "Yesterday";
    const suffix = dashboard.overview.latest_is_partial ? " · not complete" : "";
    byId("day").textContent = `${isRecent ? name : `Latest day · ${text.dated(latest)}`}${suffix}`;
    const showMissing = (first, last) => fill("missing", parts.missing(seen, first, last));
    const hasTrends = start < latest;
    setVisible("trends", hasTrends);
    if (hasTrends) trends.start(seen, showMissing);
    else showMissing(latest, latest);
    setVisible("usual", [...values.keys()].some((key) => parts.hasUsual(values, key)));
    setVisible("day", byId("metrics").children.length > 0);
    byId("age").textContent = `Data to ${text.dated(latest)}. Days without data stay empty.`;
  }

  if (seriesTarget === undefined) return; // the document has a message in place of data
  setOptionalText("message", LOADING);
  read().then(
    ([dashboard, series]) => show(dashboard, series),
    (error) => setOptionalText("message", [...MESSAGES.values()].includes(error.message) ? error.message : UNREADABLE),
  );
})();

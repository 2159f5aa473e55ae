// Shows one profile: reads two resources of the API, or the data in the document, and fills the page.
// Where there is nothing to show, one sentence says so.
(() => {
  const TIMEOUT_MS = 30_000; // of a request
  const UNREADABLE = {
    kind: "failed", title: "The data cannot be read at the moment", retry: start,
  };
  const DAILY = ["sentence", "first", "without", "day", "metrics", "usual", "trends", "missing"];

  const { byId, setOptionalText, setVisible } = page;
  const { api, series: seriesTarget } = byId("main").dataset;

  // Revalidates what the browser has, because the document with the statistics is new.
  async function request(target) {
    const response = await fetch(
      `${api}/${target}`, { cache: "no-cache", signal: AbortSignal.timeout(TIMEOUT_MS) },
    );
    const { data } = await response.json();
    if (!response.ok) throw new Error(`status ${response.status}`);
    return data;
  }

  const embedded = (id) => JSON.parse(byId(id).textContent);

  function read() {
    if (api === undefined) return Promise.resolve(["dashboard", "series"].map((id) => embedded(id).data));
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
    page.showNotice("notice", latestDate === null ? embedded("view") : null);
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
    const view = { usual: {}, unfinished: [], recovery: [], scales: {}, ...embedded("view") };
    const seen = { dashboard, series, values, cards, start, latest, today, view };
    fill("recovery", parts.recovery(seen));
    fill("night", parts.night(seen));
    setVisible("first", ["recovery", "night"].some((id) => byId(id).hasChildNodes()));
    setOptionalText("without", parts.without(seen).join(" "));
    fill("metrics", parts.metrics(seen));
    const isRecent = latest === today || latest === today - 1;
    setOptionalText("sentence", (isRecent ? view.sentence?.now : view.sentence?.then) ?? "");
    const name = latest === today ? "Today" : "Yesterday";
    const suffix = dashboard.overview.latest_is_partial ? " · not complete" : "";
    byId("day").textContent = `${isRecent ? name : `Latest day · ${text.dated(latest)}`}${suffix}`;
    const showMissing = (first, last, isAll) => {
      const from = isAll ? start : first;
      byId("period").textContent = `Health data of ${text.counted(last - from + 1, "day")}, ${from === last ? "" : `${text.dated(from)} to `}${text.dated(last)}`;
      fill("missing", parts.missing(seen, first, last, isAll));
    };
    const hasTrends = start < latest;
    setVisible("trends", hasTrends);
    if (hasTrends) trends.start(seen, showMissing);
    else showMissing(latest, latest);
    setVisible("usual", Object.keys(view.usual).length > 0);
    setVisible("day", byId("metrics").children.length > 0);
    byId("age").textContent = `Data to ${text.dated(latest)}.`;
  }

  if (seriesTarget === undefined) return; // the document has a message in place of data

  function start() {
    page.showNotice("notice", { kind: "loading", title: "The data are being read" });
    read().then(
      ([dashboard, series]) => show(dashboard, series),
      () => page.showNotice("notice", UNREADABLE),
    );
  }

  start();
})();

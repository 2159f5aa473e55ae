// The parts of the page that show single values: recovery, last night, cards, account, what is
// missing, tables.  Each returns the content of its element, or an empty list where nothing is known.
const parts = (() => {
  const { createElement } = page;

  const TONES = new Map([
    ["sleep_score", 1], ["sleep_hours", 1], ["steps", 2], ["active_minutes", 3],
    ["active_zone_minutes", 3], ["hrv", 4], ["rhr", 5], ["calories_out", 6],
  ]);
  const CARDS = ["steps", "active_minutes", "active_zone_minutes", "hrv", "rhr", "calories_out"];
  const GROWING = new Set(["steps", "active_minutes", "active_zone_minutes", "calories_out"]); // during a day
  const CARD_DAYS = 30;
  const DATASETS = new Map([
    ["activity", "Activity"], ["sleep", "Sleep"], ["hrv", "Heart rate variability"],
    ["rhr", "Resting heart rate"],
  ]);

  const toneOf = (key) => `tone-${TONES.get(key) ?? 6}`;

  function heading(id, ...content) {
    const created = createElement("h2", "", ...content);
    created.id = id;
    return created;
  }

  const detail = (content) => createElement("p", "detail", content);
  const is = (value) => value !== null && value !== undefined;

  // Adds the day to a title unless it is today.
  const dayTitle = (name, day, { today }) => (day === today ? name : `${name} · ${text.dated(day)}`);

  // ---- recovery

  // Names the inputs of the score; the contract leaves an input out where it is missing.
  function inputsOf(row, rows, person) {
    const recent = rows.slice(-CARD_DAYS);
    const hasUsual = (key) => is(row[key])
      && days.median(recent.map((each) => each[key]).filter(is)) !== 0;
    return [
      is(row.sleep_score) && "sleep score",
      is(row.minutes_asleep) && (person.sleep_goal_minutes ?? 0) !== 0 && "sleep against the goal",
      hasUsual("hrv") && "heart rate variability",
      hasUsual("rhr") && "resting heart rate",
    ].filter(Boolean);
  }

  function recovery({ dashboard, latest, ...seen }) {
    const { recovery_score: score, recovery_label: label, recovery_status: status } = dashboard.overview;
    const name = heading("recovery-name", dayTitle("Recovery", latest, seen));
    const rows = dashboard.charts.daily;
    if (!is(score)) return [];
    const dial = createElement(
      "div", `dial is-${status}`, charts.ring(score),
      createElement("p", "dial-text", createElement("span", "value", String(score)), createElement("span", "", label)),
    );
    const inputs = inputsOf(rows.at(-1), rows, dashboard.profile);
    return [name, createElement("div", "dial-row", dial, detail(`of 100, from ${text.list(inputs)}`))];
  }

  // ---- last night

  function stagesOf(night) {
    const stages = [
      { name: "Deep", tone: "tone-1", amount: night.minutes_deep },
      { name: "REM", tone: "tone-4", amount: night.minutes_rem },
      { name: "Light", tone: "tone-3", amount: night.minutes_light },
    ].filter(({ amount }) => is(amount));
    const asleep = { name: "Asleep", tone: "tone-1", amount: night.minutes_asleep };
    const awake = { name: "Awake", tone: "tone-6", amount: night.minutes_wake_stages ?? night.minutes_awake };
    return [...(stages.length > 0 ? stages : [asleep]), awake].filter(({ amount }) => amount > 0);
  }

  function legend(stages) {
    return createElement("ul", "legend", ...stages.map(({ name, tone, amount }) => createElement(
      "li", tone, createElement("span", "swatch"), `${name} ${text.duration(amount)}`,
    )));
  }

  function night({ dashboard, cards, latest, today }) {
    const rows = dashboard.charts.daily;
    const found = rows.findLast((row) => is(row.minutes_asleep));
    const naps = rows.at(-1).nap_count;
    if (found === undefined) return [];
    const day = days.parse(found.date);
    const name = day === today ? "Last night" : `Last recorded night · to ${text.dated(day)}`;
    const [start, end] = [text.clock(found.start_time), text.clock(found.end_time)];
    const goal = dashboard.profile.sleep_goal_minutes;
    const facts = [
      start !== "" && end !== "" && `${start} to ${end}`,
      is(goal) && goal > 0 && `${page.formatPercent((100 * found.minutes_asleep) / goal)} of the goal of ${text.duration(goal)}`,
      is(found.sleep_score) && `score ${text.number(found.sleep_score)}, ${comparison(cards.get("sleep_score"), found.sleep_score)}`,
      found.nap_count > 0 && text.counted(found.nap_count, "nap"),
    ].filter(Boolean);
    const stages = stagesOf(found);
    const later = day === latest || !(naps > 0) ? [] : [detail(`${text.short(latest)}: ${text.counted(naps, "nap")}, no main sleep.`)];
    return [
      heading("night-name", name), createElement("p", "value", text.duration(found.minutes_asleep)),
      ...(facts.length > 0 ? [detail(facts.join(" · "))] : []), ...later,
      ...(stages.length > 0 ? [createElement("div", "bar", charts.bar(stages)), legend(stages)] : []),
    ];
  }

  // Names what of the first two cards is not there, and why.
  function without({ dashboard, latest }) {
    const rows = dashboard.charts.daily;
    return [
      !is(dashboard.overview.recovery_score) && `No recovery score: ${text.dated(latest)} has no sleep score, no resting heart rate and no heart rate variability, and no sleep to compare with a goal.`,
      !rows.some((row) => is(row.minutes_asleep)) && `No night: none of the last ${text.counted(rows.length, "day")} with data has a duration of sleep.`,
    ].filter(Boolean);
  }

  // ---- cards

  // Compares a value with the person's usual one, both as they are shown.
  function comparison(card, value) {
    const usual = text.precise(card.avg30, card);
    const difference = text.precise(value, card) - usual;
    const shown = text.amount(Math.abs(difference), card);
    return shown === "0" ? "as usual" : `${shown} ${difference > 0 ? "above" : "below"} usual`;
  }

  function goalOf(card, person) {
    return card.goal ?? (card.key === "calories_out" ? person.daily_calories_goal : null);
  }

  function card(found, { dashboard, values, latest, today }) {
    const day = days.parse(found.latest_date);
    const goal = goalOf(found, dashboard.profile);
    const hasGoal = is(goal) && goal > 0;
    const compared = comparison(found, found.latest);
    const usual = text.amount(found.avg30, found);
    const isGrowing = day === today && GROWING.has(found.key);
    const first = latest - CARD_DAYS + 1;
    const points = days.within(values.get(found.key), first, latest);
    const missing = CARD_DAYS - points.length;
    const unit = hasGoal ? `of ${text.value(goal, found)}` : text.unitOf(found);
    const about = [
      isGrowing ? `so far, usual ${usual}` : compared + (compared === "as usual" ? "" : ` (${usual})`),
      day !== latest && `on ${day < first ? text.dated(day) : text.short(day)}`,
    ].filter(Boolean);
    return createElement(
      "li", `card metric ${toneOf(found.key)}`,
      createElement("h3", "", found.label),
      createElement("p", "value", text.amount(found.latest, found), " ", createElement("span", "unit", unit)),
      ...(hasGoal ? [createElement("div", "progress", charts.progress(found.latest / goal))] : []),
      detail(about.join(", ")),
      ...(points.length > 1 ? [createElement("div", "sparkline", charts.sparkline(points, first, latest))] : []),
      ...(missing > 0 ? [createElement("p", "detail small", `${text.counted(missing, "day")} without data`)] : []),
    );
  }

  function metrics(seen) {
    return CARDS.map((key) => seen.cards.get(key)).filter((found) => is(found.latest))
      .map((found) => card(found, seen));
  }

  // ---- account

  function section({ label, summary }) {
    const known = summary.metrics.filter(({ value }) => is(value));
    if (known.length === 0) return [];
    const list = createElement("dl", "facts", ...known.map((each) => createElement(
      "div", "", createElement("dt", "", each.label),
      createElement("dd", "", `${text.value(each.value, each)} `, createElement("span", "detail", text.day(each.detail ?? "") ?? each.detail ?? "")),
    )));
    return [createElement("div", "", createElement("h3", "", label), list)];
  }

  function account({ dashboard }) {
    const isShown = (each) => each.section !== "account"; // says how complete the copy is
    const found = dashboard.sections.filter(isShown).flatMap(section);
    return found.length === 0 ? [] : [heading("body-name", "From the account"), createElement("div", "sections", ...found)];
  }

  // ---- missing

  function reasons({ dashboard }) {
    const { snapshot_status: status, coverage, tables } = dashboard;
    const failed = tables.find(({ table: key }) => key === "endpoints").rows
      .filter((row) => row.status !== "cached" && row.status !== "missing_scope");
    const found = Object.entries(coverage).filter(([key]) => DATASETS.has(key)).flatMap(([key, { rejected_rows: rows, unreadable_cells: cells }]) => [
      rows > 0 && `${DATASETS.get(key)}: ${text.counted(rows, "row")} could not be read and ${rows === 1 ? "is" : "are"} left out.`,
      cells > 0 && `${DATASETS.get(key)}: ${text.counted(cells, "value")} could not be read and ${cells === 1 ? "is" : "are"} shown as missing.`,
    ]);
    const empty = [...DATASETS].filter(([key]) => coverage[key].count === 0).map(([, label]) => label);
    return [
      empty.length > 0 && `No data at all: ${text.list(empty)}. The file is missing or has no rows.`,
      ...found,
      !status.has_snapshot && "There is no copy of the account, so goals, body, vitals and devices are not known.",
      status.missing_scopes.length > 0 && `The account does not share: ${text.list(status.missing_scopes.map(text.words))}.`,
      failed.length > 0 && `The account did not answer: ${text.list(failed.map((row) => `${row.dataset} (${row.status_label})`))}.`,
    ].filter(Boolean);
  }

  const COVERAGE = [
    { key: "label", label: "Data" }, { key: "count", label: "Rows" },
    { key: "start_date", label: "From", format: (day) => text.dated(days.parse(day)) },
    { key: "end_date", label: "To", format: (day) => text.dated(days.parse(day)) },
  ];

  // Lists the days without a value of each metric in the shown range.
  function gaps({ values, cards }, first, last) {
    const count = last - first + 1;
    return [...cards.values()].map(({ key, label }) => {
      const points = days.within(values.get(key), first, last);
      return { label, missing: count - points.length, gap: days.longestGap(points, first, last) };
    });
  }

  function missing(seen, first, last) {
    const coverage = [...DATASETS].map(([key, label]) => ({ label, ...seen.dashboard.coverage[key] }));
    const count = last - first + 1;
    const columns = [
      { key: "label", label: "Metric" },
      { key: "missing", label: `Days without a value, of ${count}` },
      { key: "gap", label: "Longest gap in days" },
    ];
    const sentences = reasons(seen).map((sentence) => createElement("li", "", sentence));
    return [
      heading("missing-name", "What is missing, and why"),
      detail("A day without a value was not measured, or the wearable was not worn or not synchronized. It is never counted as 0."),
      ...(sentences.length > 0 ? [createElement("ul", "reasons", ...sentences)] : []),
      createElement(
        "div", "pair",
        createElement("div", "", ...table.create("Days without a value", columns, gaps(seen, first, last))),
        createElement("div", "", ...table.create("What the files hold", COVERAGE, coverage)),
      ),
    ];
  }

  // ---- tables

  // Returns the columns of a table of the API; a key stands back behind its label.
  function columnsOf(keys) {
    return keys.filter((key) => !keys.includes(`${key}_label`)).map((key) => ({
      key, label: text.words(key.replace(/_label$/, "")), format: text.day,
    }));
  }

  function tables({ dashboard }) {
    const isKnown = (row) => is(row.value) || !("value" in row);
    const filled = dashboard.tables.map((each) => ({ ...each, rows: each.rows.filter(isKnown) }))
      .filter(({ rows }) => rows.length > 0);
    return filled.length === 0 ? [] : [
      heading("tables-name", "Tables"),
      ...filled.map(({ label, columns, rows }) => createElement(
        "details", "", createElement("summary", "", `${label} (${rows.length})`),
        ...table.create(label, columnsOf(columns), rows),
      )),
    ];
  }

  return { account, metrics, missing, night, recovery, tables, toneOf, without };
})();

// The parts of the page that show single values: recovery, last night, cards, account, what is
// missing, tables.  Each returns the content of its element, or an empty list where nothing is known.
const parts = (() => {
  const { createElement } = page;

  const CARDS = ["steps", "active_minutes", "active_zone_minutes", "hrv", "rhr", "calories_out"];
  const CARD_DAYS = 30;
  const RANGES_SHOWN = 3;
  const OF_DAYS = new Set(["sleep", "activity", "recovery"]); // tables of what the lanes show
  const DATASETS = ["activity", "sleep", "hrv", "rhr"].map((key) => [key, text.metricOf(key).label]);

  const toneOf = (key) => `tone-${key}`; // the style has the colour of each metric

  const heading = (id, content) => createElement("h2", { id }, content);
  const detail = (content) => createElement("p", "detail", content);
  const facts = (list) => createElement("dl", "facts", ...list.map(([term, ...described]) => (
    createElement("div", "", createElement("dt", "", ...term), createElement("dd", "", ...described)))));

  // Returns a line of what is known, bold where a value is outside of its usual range; nothing without any.
  function line(separator, ...known) {
    const content = known.filter(Boolean).join(separator);
    return content === "" ? [] : [createElement("p", `detail${/[▲▼]/u.test(content) ? " outside" : ""}`, content)];
  }

  const is = (value) => value !== null && value !== undefined;

  // ---- recovery

  function recovery({ dashboard, latest, today, isNamed, view }) {
    const { recovery_score: score, recovery_label: label } = dashboard.overview;
    if (!is(score)) return [];
    const name = heading("recovery-name", latest === today || isNamed ? "Recovery score" : `Recovery score · ${text.dated(latest)}`);
    const dial = createElement(
      "div", `dial ${view.caveats === "" ? label : "alone"}`, charts.ring(score),
      createElement("p", "dial-text", createElement("span", "value", String(score)), ...(view.parts.length > 1 ? [createElement("span", "", label)] : [])),
    );
    const known = facts(view.parts.map(([part, points, about]) => [[part, createElement("span", "detail", about)], points]));
    return [name, createElement("div", "dial-row", dial, known), ...line("", view.caveats.trim()), createElement("p", "note", view.score)];
  }

  // ---- last night

  function stagesOf(night) {
    const stages = ["deep", "rem", "light"]
      .map((key) => ({ name: text.words(key), tone: toneOf(`minutes_${key}`), amount: night[`minutes_${key}`] }))
      .filter(({ amount }) => is(amount));
    const asleep = { name: "Asleep", tone: toneOf("sleep_hours"), amount: night.minutes_asleep };
    const awake = { name: "Awake", tone: toneOf("minutes_wake_stages"), amount: night.minutes_wake_stages ?? night.minutes_awake };
    return [...(stages.length > 0 ? stages : [asleep]), awake].filter(({ amount }) => amount > 0);
  }

  function legend(stages) {
    return createElement("ul", "legend", ...stages.map(({ name, tone, amount }) => createElement(
      "li", tone, createElement("span", "swatch"), `${name} ${text.duration(amount)}`,
    )));
  }

  function night({ dashboard, cards, latest, today, isNamed, view }) {
    const rows = dashboard.charts.daily;
    const found = rows.findLast((row) => is(row.minutes_asleep));
    const naps = rows.at(-1).nap_count;
    if (found === undefined) return [];
    const day = days.parse(found.date);
    const name = day === today ? "Last night" : `Last recorded night${isNamed && day === latest ? "" : ` · to ${text.dated(day)}`}`;
    const [start, end] = [text.clock(found.start_time), text.clock(found.end_time)];
    const goal = dashboard.profile.sleep_goal_minutes;
    const about = line(
      " · ",
      start !== "" && end !== "" && `${start} to ${end}`,
      is(goal) && goal > 0 && `${Math.round((100 * found.minutes_asleep) / goal)}\u00a0% of the goal of ${text.duration(goal).replaceAll(" ", "\u00a0")}`,
      found.nap_count > 0 && text.counted(found.nap_count, "nap"),
    );
    const score = is(found.sleep_score) ? [`Sleep score ${text.amount(found.sleep_score, cards.get("sleep_score"))}`, usualOf(cards.get("sleep_score"), view, day)] : [];
    const stages = stagesOf(found);
    const later = day === latest || !(naps > 0) ? [] : [detail(`${text.short(latest)}: ${text.counted(naps, "nap")}, no main sleep.`)];
    return [
      heading("night-name", name), createElement("p", "value", text.duration(found.minutes_asleep)),
      ...line(" ", usualOf(cards.get("sleep_hours"), view, day)), ...about, ...line(", ", ...score), ...later,
      ...(stages.length > 0 ? [createElement("div", "bar", charts.bar(stages)), legend(stages)] : []),
    ];
  }

  // ---- cards

  // Returns the usual range of a metric as text, marked if its value of a day is outside; nothing
  // where too few values form none.
  function usualOf(metric, view, day) {
    const usual = view.usual[metric.key];
    const side = day === days.parse(metric.latest_date) ? view.outside[metric.key] : "";
    const mark = { above: "▲ above ", below: "▼ below " }[side] ?? "";
    return usual === undefined ? "" : `${mark}usual ${text.range(usual, metric)}`;
  }

  function card(found, { dashboard, values, start, latest, isMixed, view }) {
    const day = days.parse(found.latest_date);
    const goal = found.goal ?? (found.key === "calories_out" ? dashboard.profile.daily_calories_goal : null);
    const hasGoal = is(goal) && goal > 0;
    const isGrowing = day === latest && view.unfinished.includes(found.key);
    const first = Math.max(latest - CARD_DAYS + 1, start);
    const points = days.within(values.get(found.key), first, latest);
    const missing = latest - first + 1 - points.length;
    const zeros = points.filter(({ value }) => value === 0).length;
    const unit = hasGoal ? `of ${text.value(goal, found)}` : text.unitOf(found);
    const about = line(
      ", ",
      isGrowing && "so far",
      (isMixed || day !== latest) && `on ${day < first ? text.dated(day) : text.short(day)}`,
      usualOf(found, view, isGrowing ? undefined : day).replaceAll(" to ", "\u00a0to\u00a0"),
    );
    const scale = view.scales[CARD_DAYS]?.[found.key];
    const isBeyond = isGrowing && (found.latest < scale?.[0] || found.latest > scale?.[1]);
    return createElement(
      "li", `card metric ${toneOf(found.key)}`,
      createElement("h3", "", found.label),
      createElement("p", "value", text.amount(found.latest, found), " ", createElement("span", "unit", unit)),
      ...(hasGoal ? [createElement("div", { className: "progress", style: `--share: ${(100 * found.latest) / goal}%` })] : []),
      ...about,
      ...(points.length > 1 && is(scale) ? [createElement(
        "div", "sparkline", charts.sparkline(points, scale, first, latest, isGrowing, isBeyond),
      )] : []),
      ...line(", ", missing > 0 && `${text.counted(missing, "day")} without data`, zeros > 0 && `${text.counted(zeros, "day")} at 0`),
    );
  }

  const shownCards = ({ cards }) => CARDS.map((key) => cards.get(key)).filter((found) => is(found.latest));
  const metrics = (seen) => shownCards(seen).map((found) => card(found, seen));

  // ---- account

  // The skin temperature of the API is a distance from the usual one.
  const withOrigin = (key, unit) => (key === "skin_temperature" ? `${unit} from usual` : unit);

  // A day of the last year with data is written without it; how many foods there are is left out.
  function section({ label, summary }, year) {
    const known = summary.metrics.filter(({ value, unit }) => is(value) && !["foods", "meals"].includes(unit));
    if (known.length === 0) return [];
    const format = ({ detail: day }) => text.moment(day, day?.startsWith(year) ? text.short : text.dated) ?? day ?? "";
    const list = known.map((each) => [
      [each.label], `${text.value(each.value, { ...each, unit: withOrigin(each.key, each.unit) })}${is(each.detail) ? ", " : ""}`, createElement("span", "detail", format(each)),
    ]);
    return [createElement("div", "", createElement("h3", "", label), facts(list))];
  }

  function account({ dashboard }) {
    const isShown = (each) => each.section !== "account"; // says how complete the copy is
    const year = dashboard.overview.latest_date?.slice(0, 4);
    const found = dashboard.sections.filter(isShown).flatMap((each) => section(each, year));
    return found.length === 0 ? [] : [heading("body-name", "From the account"), createElement("div", "sections", ...found)];
  }

  // ---- missing

  // Says what a dataset lacks, and why.
  function omission({ dataset, unit, count, reason: code, label: reason, fields, lacking, ranges }) {
    if (unit !== "day") {
      const counted = text.counted(count, unit === "row" ? "row" : "value");
      const [kind, rule] = code.split("."); // what the files must be like is for those who write them
      return `${dataset}: ${counted} left out: ${rule === "form" ? `not written as a ${kind}` : reason}.`;
    }
    const names = fields.length > 0 ? `${dataset} (${text.list(lacking)})` : dataset;
    const shown = ranges.slice(0, RANGES_SHOWN).map(({ start_date: first, end_date: last }) => (
      first === last ? text.moment(first) : `${text.moment(first)} to ${text.moment(last)}`));
    const more = ranges.length > RANGES_SHOWN ? [text.counted(ranges.length - RANGES_SHOWN, "more period")] : [];
    const when = count === null ? "all days without a value" : `${text.counted(count, "day")} (${text.list([...shown, ...more])})`;
    return `${names}: ${when} ${reason}.`;
  }

  function reasons({ dashboard, cards, latest, isPartial }) {
    const { snapshot_status: status, coverage, overview, tables } = dashboard;
    const failed = tables.find(({ table: key }) => key === "endpoints").rows
      .filter((row) => row.status !== "cached" && row.status !== "missing_scope");
    const omissions = DATASETS.flatMap(([key, dataset]) => (coverage[key].omissions ?? []).map((each) => ({
      ...each, dataset, isWhole: each.unit === "day" && (each.count ?? Infinity) >= coverage[key].count,
      lacking: each.fields.length > 0 ? each.fields.map((field) => text.metricOf(field).label) : [dataset],
    })));
    const isAbsent = ({ reason, count }) => reason === "column.not-in-archive" && count === null;
    const absent = omissions.filter(isAbsent).flatMap(({ lacking }) => lacking);
    const isExplained = (label) => omissions.some(({ isWhole, lacking }) => isWhole && lacking.includes(label));
    const empty = [...cards.values()].map(({ label, latest }) => (is(latest) || isExplained(label) ? "" : label)).filter(Boolean);
    const rows = dashboard.charts.daily;
    const isWithoutNight = !rows.some((row) => is(row.minutes_asleep));
    return [
      !is(overview.recovery_score) && `No recovery score: ${text.dated(latest)} has no sleep score, no resting heart rate and no heart rate variability, and no sleep to compare with a goal.`,
      isWithoutNight && `No night: no duration of sleep on the last ${rows.length === 1 ? "day" : text.counted(rows.length, "day")} with data.`,
      empty.length > 0 && `No data at all: ${text.list(empty)}. The files are missing or have no values.`,
      absent.length > 0 && `No file read from the export has values of: ${text.list(absent)}.`,
      ...omissions.filter((each) => !isAbsent(each)).map(omission),
      isPartial && `${text.dated(latest)} was not over when the data were written, so its values are incomplete.`,
      !status.has_snapshot && "There is no copy of the account, so goals, body, vitals and devices are not known.",
      status.missing_scopes.length > 0 && `The account does not share: ${text.list(status.missing_scopes.map(text.words))}.`,
      failed.length > 0 && `The account did not answer: ${text.list(failed.map((row) => `${row.dataset}, ${row.status_label}`))}.`,
    ].filter(Boolean);
  }

  function missing(seen, range, count) {
    const isLate = (first) => days.parse(first) > seen.latest - count + 1;
    const found = [...seen.cards.values()].map((card) => ({ ...card, ...seen.view.gaps[range][card.key] }))
      .filter((each) => is(each.latest) && (each.missing > 0 || isLate(each.first)));
    const isEven = found.every(({ latest_date: day }) => days.parse(day) === seen.latest);
    const columns = [
      { key: "label", label: "Metric" },
      { key: "missing", label: "Missing days" },
      { key: "gap", label: "Longest gap", format: (gap) => (gap > 0 ? text.counted(gap, "day") : "none") },
      { key: "first", label: "First value", format: (day) => text.moment(day) },
      ...(isEven ? [] : [{ key: "latest_date", label: "Last value", format: (day) => text.moment(day) }]),
    ];
    const sentences = reasons(seen).map((sentence) => createElement("li", "", sentence));
    return [
      heading("missing-name", "What is missing, and why"),
      ...(found.length > 0 ? [detail(`Of ${text.counted(count, "day")}, those from the first value of a metric are counted. Where no reason is given, the files have no value for the day. A missing value is never shown as 0; a 0 in the files counts as a value, also if the device was not worn.`)] : []),
      ...(sentences.length > 0 ? [createElement("ul", "reasons", ...sentences)] : []),
      found.length > 0 ? table.create("Days without a value", columns, found) : detail("No days without a value."),
    ];
  }

  // ---- tables

  // Returns the columns of a table of the account; a key stands back behind its label, and what repeats
  // the name of a device behind that.
  function columnsOf(keys) {
    return keys.filter((key) => !keys.includes(`${key}_label`) && !(key === "status" && keys.includes("device"))).map((key) => ({
      key,
      label: text.withUnit(text.metricOf(key.replace(/_label$/, ""))),
      format: (each) => text.moment(each),
    }));
  }

  function tables({ dashboard }) {
    const named = (row) => ("metric" in row ? { ...row, unit: withOrigin(row.metric, row.unit) } : row);
    const isKnown = (row) => is(row.value) || !("value" in row);
    const filled = dashboard.tables.map((each) => ({ ...each, rows: each.rows.filter(isKnown).map(named) }))
      .filter(({ table: key, rows }) => !OF_DAYS.has(key) && rows.length > 0);
    return filled.length === 0 ? [] : [
      heading("tables-name", "Tables"),
      ...filled.map((each) => createElement(
        "details", each.table === "endpoints" ? "on-screen" : "",
        createElement("summary", "", `${each.table === "endpoints" ? "For developers: " : ""}${each.label} (${each.rows.length})`),
        table.create(each.label, columnsOf(each.columns), each.rows),
      )),
    ];
  }

  return { account, metrics, missing, night, recovery, shownCards, tables, toneOf };
})();

// Shows the timeline of the current window: lanes, the playhead, and outlines of what lies after it.
// A slider selects a segment; its text, or that of the one under the pointer, is above the lanes.
// Without a selection the slider follows the playhead.
const timeline = (() => {
  const DELAY_MS = 420_000; // PLAYBACK_DELAY_MS: from the playhead to server time
  const MIN_LABELLED = 0.01; // share of the window from which a block may have a label
  const TICKS_MS = [60_000, 120_000, 300_000]; // between two ticks of the axis, of which five have room
  const GAPS = new Map([
    ["sleep", { label: "asleep", text: "the device was asleep" }],
    ["restart", { label: "restarting", text: "the recorder was restarting" }],
    ["collection", { label: "not readable", text: "nothing could be read" }],
    ["overflow", { label: "too many changes", text: "too much happened to be kept" }],
    ["clock", { label: "clock changed", text: "the device's clock was changed" }],
  ]);

  const {
    byId, counted, createElement, formatMinute, formatNumber, formatTime, isText, replaceContent,
    sentence, setText, setVisible,
  } = page;
  const { formatDuration } = times;

  let segments = []; // [{start, end, app, music, gap}]; neighbours with the same text are merged
  let runs = []; // the same for the app alone: segments of one app, and gaps
  let loadRange = null; // the least and the largest load; null where the load is not drawn
  let [start, end] = [0, 0];
  let head = null; // the instant of the playhead
  let plays = false; // whether playback has started and not reached the end
  let selected = null; // the selected instant; null without a selection
  let pointed = null; // the instant under the pointer; null without one

  // ---- text

  const isAudible = ({ state }) => state === "playing" || state === "paused";

  const isolate = (name) => createElement("bdi", "", name);

  function describeMusic({ state, track, artist }, isPast) {
    const title = isText(track) ? isolate(track) : "music";
    return [`; ${isPast && state === "playing" ? "was " : ""}${state} `, title, ...(isText(artist) ? [" by ", isolate(artist)] : [])];
  }

  // Returns an element, in which the direction of each name is its own.
  function describe({ app, none, load: average, music, gap }, isPast = false) {
    if (gap !== null) return createElement("span", "", `No record: ${GAPS.get(gap.reason).text}`);
    const other = loadRange === null || average === null ? none : `load ${formatNumber(average)}`;
    const name = app === null ? sentence(other) : isolate(apps.labelOf(app));
    return createElement("span", "", name, ...(isAudible(music) ? describeMusic(music, isPast) : []));
  }

  const formatRange = (segment) => `${formatTime(segment.start)} to ${formatTime(segment.end)}`;

  // ---- segments

  function mergeEqual(intervals, keyOf) {
    const found = [];
    for (const interval of intervals) {
      const [last, key] = [found.at(-1), keyOf(interval)];
      if (last !== undefined && last.key === key) last.end = interval.end;
      else found.push({ ...interval, key });
    }
    return found;
  }

  const toPart = ({ start: from, end: to, snapshot, gap }) => ({
    start: from,
    end: to,
    app: snapshot?.active_app ?? null,
    none: snapshot?.running_apps?.length === 0 ? "no apps shown" : "app not reported",
    music: snapshot?.music ?? null,
    load: snapshot?.system.load_1m ?? null,
    gap: gap ?? null,
  });

  const gapKey = ({ gap, start: from }) => `gap ${gap.reason} ${from}`;
  const musicKey = ({ music: { state, track, artist } }) => JSON.stringify([state, track, artist]);

  // Returns the index of the segment, or of the run, that contains an instant.
  function indexAt(at, found = segments) {
    const next = found.findIndex((segment) => segment.start > at);
    return Math.max(0, (next === -1 ? found.length : next) - 1);
  }

  const hasApps = () => runs.some(({ app }) => app !== null);

  // ---- drawing

  const share = (from, to) => (to - from) / Math.max(1, end - start);

  function setExtent(element, from, to) {
    element.style.left = `${100 * share(start, from)}%`;
    element.style.width = `${100 * share(from, to)}%`;
    return element;
  }

  // The style hides the label, with its image, where it does not fit; then the sign is shown.
  function createBlock(segment, kind, value, label, sign = "", image = "") {
    const element = createElement("div", "block");
    [element.dataset.start, element.dataset.end, element.dataset[kind]] = [segment.start, segment.end, value];
    if (share(segment.start, segment.end) < MIN_LABELLED) return element;
    element.append(createElement("span", sign.length > 1 ? "pair" : "", sign), createElement("bdi", "", image, label));
    return element;
  }

  // Creates each block twice: for its part before the playhead, and for that after it.
  const createParts = (create) =>
    [...create(), ...create().map((block) => Object.assign(block, { className: "block ahead" }))];

  function appBlocks() {
    return runs.filter(({ gap }) => gap === null).map((each) => {
      if (each.app === null) return createBlock(each, "none", "", each.none, "–");
      const [sign, image] = [apps.createSign(each.app), apps.createIcon(each.app, "", () => "")];
      return createBlock(each, "color", apps.colorOf(each.app), apps.labelOf(each.app), sign, image);
    });
  }

  const musicBlocks = (found) => found.map((each) => (isAudible(each.music)
    ? createBlock(each, "music", each.music.state, each.music.track ?? "", "♪")
    : createBlock(each, "none", "", "music not reported", "–")));

  function gapBlocks(isNamed) {
    return runs.filter(({ gap }) => gap !== null).map((each) =>
      createBlock(each, "gap", each.gap.reason, isNamed ? GAPS.get(each.gap.reason).label : ""));
  }

  // Draws the load as steps, where neither apps nor music are recorded; returns its range as text.
  function drawLoad(parts) {
    const loads = parts.filter(({ load }) => load !== null);
    const [min, max] = [Math.min, Math.max].map((extreme) => extreme(...loads.map(({ load }) => load)));
    const top = (load) => 1 - (0.9 * load) / Math.max(max, 1);
    const step = (each) =>
      `M${share(start, each.start)} 1V${top(each.load)}H${share(start, each.end)}V1Z`;
    byId("load-path").setAttribute("d", loads.map(step).join(""));
    return loads.length === 0 ? null : [...new Set([min, max].map(formatNumber))].join(" to ");
  }

  // ---- legend and list

  function totals(found, keyOf) {
    const sums = new Map();
    for (const each of found) {
      const key = keyOf(each);
      sums.set(key, (sums.get(key) ?? 0) + each.end - each.start);
    }
    return [...sums].sort(([, one], [, other]) => other - one);
  }

  const spent = (ms) => ` ${formatDuration(ms)}`;

  // Explains a kind of block, which the attribute `data-KIND` has.
  function kindItem(kind, value, ...text) {
    const swatch = createElement("span", "tile swatch", kind === "none" ? "–" : "");
    swatch.dataset[kind] = value;
    return createElement("li", "", swatch, ...text);
  }

  const emptyItem = ([reason, ms]) =>
    kindItem(GAPS.has(reason) ? "gap" : "none", reason, isolate(GAPS.get(reason)?.label ?? reason), ms === null ? "" : spent(ms));

  function legendItems(music) {
    const hasMusic = (state) => music.some((each) => each.music.state === state);
    const named = totals(runs.filter(({ app }) => app !== null), ({ app }) => app);
    const others = runs.filter(({ app, gap }) => app === null && (gap !== null || loadRange === null));
    const empty = new Map(totals(others, ({ gap, none }) => gap?.reason ?? none.replace("app not", "not")));
    if (hasMusic("unavailable")) empty.set("not reported", null); // a duration would be of the apps alone
    const rare = named.filter(([app]) => apps.isRare(app));
    const rest = rare.reduce((sum, [, ms]) => sum + ms, 0);
    return [
      ...named.filter((each) => rare.length === 1 || !rare.includes(each)).map(([app, ms]) =>
        createElement("li", "", apps.createKey(app), isolate(apps.labelOf(app)), spent(ms))),
      ...(rare.length < 2 ? [] : [kindItem("color", "other", isolate(`${rare.length} other apps`), spent(rest))]),
      ...(loadRange === null ? [] : [kindItem("load", "", `Load average ${loadRange}`)]),
      ...(hasMusic("paused") ? [kindItem("music", "paused", "music paused")] : []),
      ...[...empty].map(emptyItem),
      kindItem("ahead", loadRange === null ? "" : "load", "still to come"),
    ];
  }

  // ---- selection

  function showSegment() {
    const home = indexAt(head ?? start);
    if (selected !== null && indexAt(selected) === home) selected = null;
    const index = selected === null ? home : indexAt(selected);
    const segment = segments[index];
    const slider = byId("slider");
    const shown = pointed === null ? index : indexAt(pointed);
    const isCurrent = plays && home === shown;
    const { start: from, end: to } = segments[shown];
    const span = `${formatRange(segments[shown])} (${formatDuration(to - from)}):`;
    const place = (selected ?? pointed) === null ? ["First:", "Last:"][Number(head !== null)] : span;
    setText("segment-times", isCurrent ? "Shown now:" : place);
    replaceContent(byId("segment-text"), describe(segments[shown], !isCurrent && place === "Last:"));
    setVisible("reset", selected !== null);
    // Without a selection the value changes with the segment only, because each change is read aloud.
    slider.value = Math.round(((selected ?? segment.start) - start) / 1_000);
    const text = `${formatRange(segment)}: ${describe(segment).textContent}, ${formatNumber(index + 1)} of ${formatNumber(segments.length)}`;
    if (slider.getAttribute("aria-valuetext") !== text) slider.setAttribute("aria-valuetext", text);
    setExtent(byId("selection"), from, to);
    setVisible("selection", selected !== null || pointed !== null);
  }

  function select(at) {
    selected = at === null ? null : Math.min(Math.max(at, start), end - 1);
    showSegment();
  }

  const STEPS = new Map([["ArrowLeft", -1], ["ArrowDown", -1], ["ArrowRight", 1], ["ArrowUp", 1]]);

  // Arrow keys move between segments; Home, End and the page keys keep their meaning.
  function onKey(event) {
    pointed = null;
    if (event.key === "Escape") select(null);
    const step = STEPS.get(event.key);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = indexAt(selected ?? head ?? start) + step;
    select(segments[Math.min(Math.max(index, 0), segments.length - 1)].start);
  }

  // Outlines the segment under the pointer; pressing it selects that one.
  function onPointer({ buttons, clientX, type }) {
    if (segments.length === 0) return;
    const { left, width } = byId("slider").getBoundingClientRect();
    pointed = type === "pointerleave" ? null : start + ((clientX - left) / width) * (end - start);
    select(buttons === 1 ? pointed ?? selected : selected);
  }

  // ---- entry points

  // Shows another window, given as the intervals of the player.
  function load(intervals) {
    const parts = intervals.map(toPart);
    setVisible("timeline", parts.length > 0);
    if (parts.length > 0) [start, end] = [parts[0].start, parts.at(-1).end]; // before blocks are placed
    runs = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : JSON.stringify(each.app ?? [each.none])));
    const music = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : musicKey(each)))
      .filter((each) => each.music !== null && each.music.state !== "stopped");
    const hasMusic = music.some((each) => isAudible(each.music));
    loadRange = hasApps() || hasMusic ? null : drawLoad(parts);
    segments = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : describe(each).textContent));
    if (parts.length === 0) return;
    if (selected !== null && (selected < start || selected >= end)) selected = null;
    setText("timeline-name", `Timeline of ${formatDuration(end - start)}`);
    setVisible("lane-app", loadRange === null);
    for (const id of ["lane-music", "name-music"]) setVisible(id, hasMusic);
    setVisible("lane-load", loadRange !== null);
    setText("name-app", loadRange === null ? "Apps" : "Load");
    replaceContent(byId("lane-app"), ...createParts(() => [...appBlocks(), ...gapBlocks(true)]));
    replaceContent(byId("lane-music"), ...createParts(() => [...musicBlocks(music), ...gapBlocks(false)]));
    replaceContent(byId("gaps"), ...createParts(() => (loadRange === null ? [] : gapBlocks(true))));
    replaceContent(byId("legend"), ...legendItems(hasMusic ? music : []));
    byId("slider").max = String(Math.ceil((end - start) / 1_000));
    showTicks();
    setText("segment-count", `${counted(segments.length, "segment")} as a list`);
    byId("segments").tabIndex = segments.length > 30 ? 0 : -1; // more are in a box that scrolls
    replaceContent(byId("segments"), ...segments.map((each) =>
      createElement("li", "", createElement("span", "detail", formatRange(each)), " ", describe(each))));
  }

  function showTicks() {
    const [ticks, step] = [[], TICKS_MS.find((each) => end - start < 5 * each)];
    for (let at = Math.ceil(start / step) * step; at <= end; at += step) ticks.push(at);
    const [shown, format] = ticks.length > 1 ? [ticks, formatMinute] : [[start, end], formatTime];
    const sideOf = (at) => (at - start < step / 10 ? "start" : end - at < step / 10 ? "end" : "center"); // of the mark
    replaceContent(byId("ticks"), ...shown.map((at) =>
      setExtent(createElement("span", { style: `justify-content: ${sideOf(at)}` }, format(at)), at, at)));
  }

  function cutBlock(block, at) {
    const [from, to] = [Number(block.dataset.start), Number(block.dataset.end)];
    const cut = Math.min(Math.max(at, from), to);
    if (block.dataset.cut === String(cut)) return;
    block.dataset.cut = cut;
    const part = block.classList.contains("ahead") ? [cut, to] : [from, cut];
    block.hidden = part[0] === part[1];
    setExtent(block, ...part);
  }

  // Moves the playhead; null while playback has not started.
  function move(at, isPlaying) {
    if (segments.length === 0) return;
    [head, plays] = [at, at !== null && isPlaying];
    const until = head ?? start;
    for (const block of document.querySelectorAll("#lanes .block")) cutBlock(block, until);
    setExtent(byId("playhead"), until, until);
    for (const [id, unit] of [["flag", "cqi"], ["overlay", "%"]]) { // not on all: blocks would inherit it
      byId(id).style.setProperty("--head", `${100 * share(start, until)}${unit}`);
    }
    setVisible("playhead", head !== null);
    setVisible("flag", head !== null);
    setText("flag", `${plays ? "" : "last shown "}${formatTime(until)}`);
    const home = plays ? "now" : `the ${head === null ? "start" : "end"}`;
    setText("reset", `Back to ${home}`);
    setText("slider-help", `Arrow keys move between segments, Escape returns to ${home}.`);
    showSegment();
  }

  // Returns since when the app of an instant is in front, {since, isExact, isCut}: it is not exact
  // where the run begins after a gap or with the window, which cuts it.
  function runAt(at) {
    if (runs.length === 0) return null;
    const index = indexAt(at, runs);
    return { since: runs[index].start, isExact: runs[index - 1]?.gap === null, isCut: index === 0 };
  }

  byId("slider").addEventListener("input", (event) => select(pointed ?? start + 1_000 * event.target.value));
  byId("slider").addEventListener("keydown", onKey);
  for (const type of ["pointerdown", "pointermove", "pointerleave"]) byId("slider").addEventListener(type, onPointer);
  byId("reset").addEventListener("click", () => {
    select(null);
    byId("slider").focus();
  });

  return { DELAY_MS, GAPS, hasApps, load, move, runAt, totals };
})();

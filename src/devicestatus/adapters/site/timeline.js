// Shows the timeline of the current window: two lanes (foreground app, music), gaps hatched by reason
// across both, the playhead, and a faded part after it.  A slider selects a segment of time by
// pointer, keyboard or screen reader, and its text is shown; a list contains all segments as text.
// Without a selection the slider follows the playhead.
const timeline = (() => {
  const PRIVATE_APP = "System"; // replaces the names of private apps
  const MIN_LABELLED = 0.04; // share of the window from which a block has space for a name
  const GAPS = new Map([
    ["sleep", "the computer was asleep"],
    ["restart", "the recorder was restarting"],
    ["collection", "nothing could be read"],
    ["overflow", "too much happened to be kept"],
    ["clock", "the computer's clock was changed"],
  ]);

  const {
    byId, createElement, formatDuration, formatTime, isText, replaceContent, sentence, setText,
    setTime, setVisible,
  } = page;

  let segments = []; // [{start, end, app, music, gap}]; neighbours with the same text are merged
  let [start, end] = [0, 0];
  let head = null; // the instant of the playhead
  let plays = false; // whether playback has started and not reached the end
  let selected = null; // the selected instant; null without a selection

  // ---- text

  const isAudible = ({ state }) => state === "playing" || state === "paused";

  function describeMusic(music) {
    if (!isAudible(music)) return "";
    const title = isText(music.track) ? music.track : "a title that is not reported";
    return `${music.state} ${title}${isText(music.artist) ? ` by ${music.artist}` : ""}`;
  }

  function describe({ app, music, gap }) {
    if (gap !== null) return `No record: ${GAPS.get(gap.reason)}`;
    return [app ?? "App not reported", describeMusic(music)].filter(isText).join("; ");
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
    music: snapshot?.music ?? null,
    gap: gap ?? null,
  });

  const gapKey = ({ gap, start: from }) => `gap ${gap.reason} ${from}`;
  const musicKey = ({ music: { state, track, artist } }) => JSON.stringify([state, track, artist]);

  // Returns the index of the segment that contains an instant.
  function indexAt(at) {
    const next = segments.findIndex((segment) => segment.start > at);
    return Math.max(0, (next === -1 ? segments.length : next) - 1);
  }

  // ---- drawing

  const share = (from, to) => (to - from) / Math.max(1, end - start);

  function setExtent(element, from, to) {
    element.style.left = `${100 * share(start, from)}%`;
    element.style.width = `${100 * share(from, to)}%`;
    return element;
  }

  function createBlock(segment, label) {
    const element = setExtent(createElement("div", "block"), segment.start, segment.end);
    if (share(segment.start, segment.end) >= MIN_LABELLED) element.append(createElement("bdi", "", label));
    return element;
  }

  function createGapBlock(segment) {
    const element = createBlock(segment, "");
    element.dataset.gap = segment.gap.reason;
    return element;
  }

  // The colour of an app depends only on its name, so it is the same in every window.
  function appBlocks(parts) {
    const blocks = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : `app ${each.app}`));
    return blocks.map((each) => {
      if (each.gap !== null) return createGapBlock(each);
      const element = createBlock(each, each.app ?? "");
      if (each.app === null) return element;
      element.dataset.color = each.app === PRIVATE_APP ? "none" : colors.indexOf(each.app);
      return element;
    });
  }

  function musicBlocks(parts) {
    const blocks = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : musicKey(each)));
    return blocks.filter(({ gap, music }) => gap !== null || isAudible(music)).map((each) => {
      if (each.gap !== null) return createGapBlock(each);
      const element = createBlock(each, each.music.track ?? "");
      element.dataset.music = each.music.state;
      return element;
    });
  }

  function legendItem(reason) {
    const swatch = createElement("span", "swatch");
    swatch.dataset.gap = reason;
    return createElement("li", "", swatch, sentence(GAPS.get(reason)));
  }

  function listItem(segment) {
    const times = createElement("span", "times-text", formatRange(segment));
    const item = createElement("li", "", times, " ");
    item.append(createElement("bdi", "", describe(segment)));
    return item;
  }

  function showList() {
    if (byId("segment-list").open) replaceContent(byId("segments"), ...segments.map(listItem));
    markCurrent();
  }

  function markCurrent() {
    const now = plays ? indexAt(head) : -1;
    for (const [n, item] of [...byId("segments").children].entries()) {
      if (n === now) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  // ---- selection

  function showSegment() {
    const index = indexAt(selected ?? head ?? start);
    const segment = segments[index];
    const slider = byId("slider");
    const range = `${formatRange(segment)}: ${describe(segment)}`;
    const isCurrent = plays && indexAt(head) === index;
    setText("segment-times", `${formatRange(segment)} (${formatDuration(segment.end - segment.start)})`);
    setText("segment-text", describe(segment));
    setVisible("segment-live", isCurrent);
    setVisible("reset", selected !== null);
    // Without a selection the value changes with the segment only, because each change is read aloud.
    const value = String(Math.round(((selected ?? segment.start) - start) / 1_000));
    if (slider.value !== value) slider.value = value;
    const text = `${range}, ${index + 1} of ${segments.length}`;
    if (slider.getAttribute("aria-valuetext") !== text) slider.setAttribute("aria-valuetext", text);
    byId("lanes").toggleAttribute("data-exploring", selected !== null);
    const selection = setExtent(byId("selection"), segment.start, segment.end);
    selection.toggleAttribute("hidden", selected === null);
  }

  function select(at) {
    selected = at === null ? null : Math.min(Math.max(at, start), end - 1);
    showSegment();
  }

  const STEPS = new Map([["ArrowLeft", -1], ["ArrowDown", -1], ["ArrowRight", 1], ["ArrowUp", 1]]);

  // Arrow keys move between segments; Home, End and the page keys keep their meaning.
  function onKey(event) {
    if (event.key === "Escape") select(null);
    const step = STEPS.get(event.key);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const index = indexAt(selected ?? head ?? start) + step;
    select(segments[Math.min(Math.max(index, 0), segments.length - 1)].start);
  }

  // ---- entry points

  // Shows another window, given as the intervals of the player.
  function load(intervals) {
    const parts = intervals.map(toPart);
    setVisible("timeline", parts.length > 0);
    segments = mergeEqual(parts, (each) => (each.gap ? gapKey(each) : describe(each)));
    if (parts.length === 0) return;
    [start, end] = [parts[0].start, parts.at(-1).end];
    if (selected !== null && (selected < start || selected >= end)) selected = null;
    const reasons = new Set(parts.filter(({ gap }) => gap !== null).map(({ gap }) => gap.reason));
    replaceContent(byId("lane-app"), ...appBlocks(parts));
    replaceContent(byId("lane-music"), ...musicBlocks(parts));
    replaceContent(byId("gap-legend"), ...[...reasons].map(legendItem));
    setVisible("gap-legend", reasons.size > 0);
    byId("slider").max = String(Math.ceil((end - start) / 1_000));
    setTime("timeline-start", start);
    setTime("timeline-end", end);
    showList();
  }

  // Moves the playhead; null while playback has not started.
  function move(at, isPlaying) {
    if (segments.length === 0) return;
    [head, plays] = [at, at !== null && isPlaying];
    const until = head ?? start;
    setExtent(byId("upcoming"), until, end);
    setExtent(byId("playhead"), until, until);
    setVisible("playhead", head !== null);
    showSegment();
    markCurrent();
  }

  byId("slider").addEventListener("input", (event) => select(start + 1_000 * event.target.value));
  byId("slider").addEventListener("keydown", onKey);
  byId("segment-list").addEventListener("toggle", showList);
  byId("reset").addEventListener("click", () => {
    select(null);
    byId("slider").focus();
  });

  return { GAPS, load, move };
})();

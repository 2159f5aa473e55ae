// The time line of the window that plays: two lanes (app in front, music), gaps hatched over both by
// their reasons, the playhead, and what is still to come veiled.  A slider explores it by pointer,
// keyboard and screen reader: it tells the stretch of time that holds its instant; a list has all
// stretches as text.  Until somebody explores, the slider stands on what is being played.
const timeline = (() => {
  const PRIVATE = "System"; // stands for apps whose names are kept private
  const LABELLED = 0.04; // of the window, from which a stretch has room for a name
  const GAPS = new Map([
    ["sleep", "the computer was asleep"],
    ["restart", "the recorder was restarting"],
    ["collection", "nothing could be read"],
    ["overflow", "too much happened to be kept"],
    ["clock", "the computer's clock was changed"],
  ]);

  const { fill, isText, lasting, make, node, put, putTime, reveal, sentence, timeOfDay } = page;

  let stretches = []; // [{start, end, app, music, gap}], what is told alike in one
  let [start, end] = [0, 0];
  let head = null; // the instant that is being played
  let plays = false; // whether it is, or has been to its end
  let picked = null; // the instant that is being explored; null when nobody explores

  // ---- words

  const isHeard = ({ state }) => state === "playing" || state === "paused";

  function wordsOfMusic(music) {
    if (!isHeard(music)) return "";
    const title = isText(music.track) ? music.track : "a title that is not reported";
    return `${music.state} ${title}${isText(music.artist) ? ` by ${music.artist}` : ""}`;
  }

  function describe({ app, music, gap }) {
    if (gap !== null) return `No record: ${GAPS.get(gap.reason)}`;
    return [app ?? "App not reported", wordsOfMusic(music)].filter(isText).join("; ");
  }

  const duration = (stretch) => `${timeOfDay(stretch.start)} to ${timeOfDay(stretch.end)}`;

  // ---- stretches

  function merged(intervals, keyOf) {
    const found = [];
    for (const interval of intervals) {
      const [last, key] = [found.at(-1), keyOf(interval)];
      if (last !== undefined && last.key === key) last.end = interval.end;
      else found.push({ ...interval, key });
    }
    return found;
  }

  const part = ({ start: from, end: to, snapshot, gap }) => ({
    start: from,
    end: to,
    app: snapshot?.active_app ?? null,
    music: snapshot?.music ?? null,
    gap: gap ?? null,
  });

  const keyOfGap = ({ gap, start: from }) => `gap ${gap.reason} ${from}`;
  const keyOfMusic = ({ music: { state, track, artist } }) => JSON.stringify([state, track, artist]);

  // The number of the stretch that holds an instant.
  function numberAt(at) {
    const next = stretches.findIndex((stretch) => stretch.start > at);
    return Math.max(0, (next === -1 ? stretches.length : next) - 1);
  }

  // ---- drawing

  const share = (from, to) => (to - from) / Math.max(1, end - start);

  function place(made, from, to) {
    made.style.left = `${100 * share(start, from)}%`;
    made.style.width = `${100 * share(from, to)}%`;
    return made;
  }

  function block(stretch, label) {
    const made = place(make("div", "block"), stretch.start, stretch.end);
    if (share(stretch.start, stretch.end) >= LABELLED) made.append(make("bdi", "", label));
    return made;
  }

  function gapBlock(stretch) {
    const made = block(stretch, "");
    made.dataset.gap = stretch.gap.reason;
    return made;
  }

  // The colour of an app depends on its name alone: it stays the same with every window.
  function appLane(parts) {
    const blocks = merged(parts, (each) => (each.gap ? keyOfGap(each) : `app ${each.app}`));
    return blocks.map((each) => {
      if (each.gap !== null) return gapBlock(each);
      const made = block(each, each.app ?? "");
      if (each.app === null) return made;
      made.dataset.tint = each.app === PRIVATE ? "none" : colours.numberOf(each.app);
      return made;
    });
  }

  function musicLane(parts) {
    const blocks = merged(parts, (each) => (each.gap ? keyOfGap(each) : keyOfMusic(each)));
    return blocks.filter(({ gap, music }) => gap !== null || isHeard(music)).map((each) => {
      if (each.gap !== null) return gapBlock(each);
      const made = block(each, each.music.track ?? "");
      made.dataset.music = each.music.state;
      return made;
    });
  }

  function keyItem(reason) {
    const swatch = make("span", "swatch");
    swatch.dataset.gap = reason;
    return make("li", "", swatch, sentence(GAPS.get(reason)));
  }

  function listItem(stretch) {
    const item = make("li", "", make("span", "when", duration(stretch)), " ");
    item.append(make("bdi", "", describe(stretch)));
    return item;
  }

  function showList() {
    if (node("list").open) fill(node("stretches"), ...stretches.map(listItem));
    showPlayed();
  }

  function showPlayed() {
    const now = plays ? numberAt(head) : -1;
    for (const [n, item] of [...node("stretches").children].entries()) {
      if (n === now) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
  }

  // ---- exploring

  function showStretch() {
    const number = numberAt(picked ?? head ?? start);
    const stretch = stretches[number];
    const scrub = node("scrub");
    const words = `${duration(stretch)}: ${describe(stretch)}`;
    const isPlayed = plays && numberAt(head) === number;
    put("stretch-when", `${duration(stretch)} (${lasting(stretch.end - stretch.start)})`);
    put("stretch-what", describe(stretch));
    reveal("stretch-now", isPlayed);
    reveal("release", picked !== null);
    // Without anybody exploring it moves with the stretch, not with each second: it would be said.
    const value = String(Math.round(((picked ?? stretch.start) - start) / 1_000));
    if (scrub.value !== value) scrub.value = value;
    const text = `${words}, ${number + 1} of ${stretches.length}`;
    if (scrub.getAttribute("aria-valuetext") !== text) scrub.setAttribute("aria-valuetext", text);
    node("strip").toggleAttribute("data-picked", picked !== null);
    const marked = place(node("mark"), stretch.start, stretch.end);
    marked.toggleAttribute("hidden", picked === null);
  }

  function pick(at) {
    picked = at === null ? null : Math.min(Math.max(at, start), end - 1);
    showStretch();
  }

  const STEPS = new Map([["ArrowLeft", -1], ["ArrowDown", -1], ["ArrowRight", 1], ["ArrowUp", 1]]);

  // From stretch to stretch by arrows; Home, End and the page keys stay as they are.
  function onKey(event) {
    if (event.key === "Escape") pick(null);
    const step = STEPS.get(event.key);
    if (step === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const number = numberAt(picked ?? head ?? start) + step;
    pick(stretches[Math.min(Math.max(number, 0), stretches.length - 1)].start);
  }

  // ---- the whole

  // Shows another window: its intervals as the engine gives them.
  function load(intervals) {
    const parts = intervals.map(part);
    reveal("band", parts.length > 0);
    stretches = merged(parts, (each) => (each.gap ? keyOfGap(each) : describe(each)));
    if (parts.length === 0) return;
    [start, end] = [parts[0].start, parts.at(-1).end];
    if (picked !== null && (picked < start || picked >= end)) picked = null;
    const reasons = new Set(parts.filter(({ gap }) => gap !== null).map(({ gap }) => gap.reason));
    fill(node("lane-app"), ...appLane(parts));
    fill(node("lane-music"), ...musicLane(parts));
    fill(node("key"), ...[...reasons].map(keyItem));
    reveal("key", reasons.size > 0);
    node("scrub").max = String(Math.ceil((end - start) / 1_000));
    putTime("band-from", start);
    putTime("band-to", end);
    showList();
  }

  // Moves the playhead; null while playback has not begun.
  function move(at, isPlaying) {
    if (stretches.length === 0) return;
    [head, plays] = [at, at !== null && isPlaying];
    const until = head ?? start;
    place(node("veil"), until, end);
    place(node("head"), until, until);
    reveal("head", head !== null);
    showStretch();
    showPlayed();
  }

  node("scrub").addEventListener("input", (event) => pick(start + 1_000 * event.target.value));
  node("scrub").addEventListener("keydown", onKey);
  node("list").addEventListener("toggle", showList);
  node("release").addEventListener("click", () => {
    pick(null);
    node("scrub").focus();
  });

  return { GAPS, load, move };
})();

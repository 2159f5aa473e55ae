// Plays back what api/timeline had when the page was made and, while the page is visible, what it has
// when `polling` requires a request.  Between two responses the last one stays, with its age.
// Failures are shown as "unreachable" when `polling` says so, never as "offline".
(() => {
  const TIMEOUT_MS = 30_000; // of a request
  const TICK_MS = 1_000; // between two updates of the page
  const MAX_CLOCK_DIFFERENCE_MS = 1_000; // a larger one means that one clock stopped or was set
  const MIN_ANNOUNCEMENT_MS = 15_000; // between two announced apps

  const {
    byId, formatMinute, formatTime, isText, replaceContent, setOptionalText, setText, setVisible,
  } = page;
  const { formatAge, formatDuration } = times;

  const ICONS = new Map([
    ["online", '<circle cx="8" cy="8" r="7" fill="#268053"/>'],
    ["starting", '<path d="M8 1a7 7 0 1 1-7 7H8z" fill="#767676"/>'],
    ["gap", '<path d="M1 6l5-5M1 12L12 1M4 15L15 4M10 15l5-5" stroke="#767676" stroke-width="2.5"/>'],
    ["paused", '<path d="M5 2v12M11 2v12" stroke="#767676" stroke-width="4"/>'],
    ["offline", '<circle cx="8" cy="8" r="5.5" fill="none" stroke="#767676" stroke-width="3"/>'],
    ["unknown", '<path d="M8 1l7.5 13.5H.5z" fill="#b26a00"/>'
      + '<path d="M8 6v4m0 1v1.5" stroke="#fff" stroke-width="1.7"/>'],
  ]);
  const icon = document.querySelector("link[rel=icon]");
  const svgStart = /<[^>]+>/u.exec(decodeURIComponent(icon.href))[0];
  const owner = document.querySelector(".owner-name").textContent;

  // ---- time

  // The clock that advanced further counts: the steady one stops while the computer sleeps, and the
  // wall clock can be set back.
  const readClocks = () => ({ steady: performance.now(), wall: Date.now() });
  const steadyElapsedSince = (then) => Math.floor(performance.now() - then.steady);

  function elapsedSince(then) {
    const [steady, wall] = [steadyElapsedSince(then), Date.now() - then.wall];
    return wall - steady > MAX_CLOCK_DIFFERENCE_MS ? wall : steady;
  }

  // The monotonic clock of the player.  A wall clock that was set ahead looks like sleep until the
  // next response; then the server time decides, within the durations of the two clocks.
  let anchor = { ...readClocks(), at: 0, serverTime: null };

  const now = () => anchor.at + elapsedSince(anchor);

  function arrivalOf(serverTime) {
    const [min, max] = [steadyElapsedSince(anchor), elapsedSince(anchor)];
    const known = anchor.serverTime !== null && !Number.isNaN(serverTime);
    const passed = known ? serverTime - anchor.serverTime : min;
    return anchor.at + Math.min(Math.max(passed, min), max);
  }

  // ---- state

  let state = player.START;
  let requestedAt = readClocks(); // the start of the last request
  let isRequesting = false;
  let failures = 0; // requests that failed in a row
  let shown = null; // the snapshot in the cards
  let loaded = null; // the source in the timeline
  let run = null; // since when the app is in front: {app, since, isExact, until}
  let announced = { headline: "", text: "", notices: "", at: null }; // for screen readers

  // ---- the headline

  // Returns since when the app is in front; earlier windows count where they continue in this one.
  function updateRun({ at, snapshot }) {
    const found = at === null || snapshot === null ? null : timeline.runAt(at);
    if (found === null) return null;
    const app = snapshot.active_app;
    const continues = run?.app === app && found.isCut && found.since <= run.until;
    return { ...(continues ? run : found), app, until: at };
  }

  // Announces changes of the headline and of notices at once, and apps at intervals.  A notice is
  // announced once, even if its content grows; elapsed seconds are not announced.
  function announce(headline, text, notices) {
    const isSame = notices.key === announced.notices;
    if (text === announced.text && isSame) return;
    if (headline === announced.headline && isSame && elapsedSince(announced.at) < MIN_ANNOUNCEMENT_MS) return;
    announced = { headline, text, notices: notices.key, at: readClocks() };
    setText("announcement", isSame || notices.key === "" ? text : `${text} ${notices.text}`);
  }

  function showHeadline(found, notices) {
    const { state: name, label, title, detail = "", app, announcement } = found;
    const isSame = byId("title").textContent === title; // also the one with which the page was made
    byId("now").dataset.state = name;
    setText("state", label);
    setText("title", title);
    setOptionalText("detail", detail);
    setVisible("tile", isText(app));
    if (isText(app) && (apps.hasIcons() || !isSame)) replaceContent(byId("tile"), apps.createTile(app));
    showTab(name, isText(app) ? title : label);
    const text = announcement ?? `${title}.`;
    announce(`${label} ${isText(app) ? "" : text}`, `${label}. ${text}`, notices);
  }

  function showTab(name, text) {
    document.title = `${text} · ${owner}`;
    const svg = `${svgStart}${ICONS.get(name)}</svg>`;
    const url = `data:image/svg+xml,${encodeURIComponent(svg)}`;
    if (icon.href !== url) icon.href = url;
  }

  // ---- times and notices

  function showTimes({ mode, serverTime }, isOnPaper) {
    const again = isOnPaper ? "" : ", again within two minutes";
    const read = failures > 0 ? "" : `Read at ${formatMinute(requestedAt.wall)}${again}.`;
    setOptionalText("updated", mode === "window" ? `Updated ${formatAge(state.watermark.updatedAt, serverTime, isOnPaper)}.` : read);
  }

  const describeLoss = ({ start, end, missed }) =>
    `Not played: ${formatDuration(missed)} between ${formatTime(start)} and ${formatTime(end)}. It expired before this page could load it.`;

  // Returns the notices for the announcement: without elapsed seconds, and with a key that stays the
  // same while a loss grows.
  function showNotices({ mode, lost, reason, bufferedSeconds }) {
    const lossText = lost === null ? "" : describeLoss(lost);
    const hasFailed = failures > 0 && mode === "window" && reason !== "exhausted";
    const failed = "The status cannot be read.";
    setOptionalText("lost", lossText);
    setOptionalText("unread", hasFailed ? `${failed} The page can go on for ${formatDuration(1_000 * bufferedSeconds)}.` : "");
    const text = [lossText, hasFailed ? failed : ""];
    return {
      key: [lost?.start, hasFailed ? "unread" : ""].filter(Boolean).join(" "),
      text: text.filter(isText).join(" "),
    };
  }

  // ---- the page

  function draw(isOnPaper = false) {
    const view = player.view(state, now());
    const snapshot = view.snapshot ?? (view.reason === "exhausted" ? player.remaining(state) : null);
    if (loaded !== state.source || shown !== snapshot) {
      const intervals = player.intervals(state);
      const played = timeline.totals(intervals, (each) => each.snapshot?.active_app).map(([app]) => app);
      apps.setNames(played, [...(snapshot?.running_apps ?? []), snapshot?.active_app]);
      if (loaded !== state.source) timeline.load(intervals);
    }
    loaded = state.source;
    run = updateRun(view);
    const found = headline.of(view, snapshot, polling.isUnknown(failures, view), run, isOnPaper);
    showHeadline(found, showNotices(view));
    setVisible("retry", found.state === "unknown" || !byId("unread").hidden);
    showTimes(view, isOnPaper);
    const isPast = found.state !== "online" && snapshot !== null;
    const { classList } = byId("main");
    if (snapshot === null || snapshot !== shown || isPast !== classList.contains("stale")) {
      cards.show(snapshot, isPast);
    }
    classList.toggle("stale", isPast);
    shown = snapshot;
    timeline.move(view.at, view.reason !== "exhausted");
  }

  // ---- requests

  async function get(path, cache) {
    const response = await fetch(path, { cache, signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) throw new Error(`status ${response.status}`);
    return response.json();
  }

  // Checks whether an answer is the status.  An old one changes nothing, but is no failure.
  function accept(answer) {
    const serverTime = Date.parse(answer?.server_time);
    const at = arrivalOf(serverTime);
    const [next, { accepted, refused }] = player.accept(state, answer, at);
    state = next;
    if (accepted === "window" || accepted === "snapshot") anchor = { ...readClocks(), at, serverTime };
    return accepted !== undefined || refused === "older" || refused === "rewound";
  }

  // Icons are decoration: without them letters are shown, and the next request retries.
  async function addIcons() {
    await get("api/icons", "default").then(apps.setIcons).catch(() => {});
    [shown, loaded] = [null, null];
    draw();
  }

  function finish(isAnswered) {
    failures = isAnswered ? 0 : failures + 1;
    draw();
    const hasApps = shown !== null || timeline.hasApps();
    if (isAnswered && hasApps && !apps.hasIcons()) addIcons();
  }

  async function refresh() {
    isRequesting = true;
    requestedAt = readClocks();
    const answer = await get("api/timeline", "no-store").catch(() => null);
    isRequesting = false;
    finish(accept(answer));
  }

  function update() {
    if (document.hidden) return;
    const elapsed = elapsedSince(requestedAt);
    if (!isRequesting && polling.isDue(elapsed, player.view(state, now()))) refresh();
    draw();
  }

  finish(accept(JSON.parse(byId("answer").textContent)));
  byId("answer").remove();
  byId("retry").addEventListener("click", async ({ target }) => {
    if (!isRequesting) await refresh();
    if (target.hidden && document.activeElement === document.body) byId("main").focus({ preventScroll: true });
  });
  setInterval(update, TICK_MS);
  addEventListener("beforeprint", () => draw(true)); // until the next update
  document.addEventListener("visibilitychange", update);
})();

// Requests api/timeline when the page opens and, while it is visible, when `polling` requires it;
// plays it back.  Failures (503, no connection, an invalid response) are shown as "unreachable", never
// as "offline"; playback of earlier responses continues.  The artwork of the music is not loaded,
// because that would disclose the viewer to a third party; the track is a link instead.
(() => {
  const TIMEOUT_MS = 30_000; // of a request
  const TICK_MS = 1_000; // between two updates of the page
  const MAX_CLOCK_DIFFERENCE_MS = 1_000; // a larger one means that one clock stopped or was set
  const MIN_ANNOUNCEMENT_MS = 15_000; // between two announced apps
  const DELAY_MS = 420_000; // the usual delay of playback
  const MIN_EXTRA_DELAY_MS = 10_000; // from which it is shown
  const LOW_PERCENT = 20; // of charge, at which the gauge warns
  const LAST_SEEN_STATES = new Set(["Offline", "Unreachable", "Buffering"]); // states that show "last seen"
  const MUSIC = new Map([["playing", "Playing"], ["paused", "Paused"]]);
  const CHARGING = new Map([[true, "charging"], [false, "not charging"]]);
  const POWER = new Map([["ac", "on mains power"], ["battery", "on battery"]]);

  const {
    byId, createElement, formatAgo, formatDuration, formatTime, isText, replaceContent, sentence,
    setOptionalText, setText, setTime, setVisible,
  } = page;

  const isNumber = (value) => value !== null;
  const number = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const percentage = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
  const minute = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

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
  let requestedAt = null; // the start of the last request
  let isRequesting = false;
  let isReachable = null; // whether the last response was valid; null before the first one
  let icons = null; // normalized app name -> path of its icon; null until loaded
  let shown = null; // the snapshot in the cards
  let loaded = null; // the source in the timeline
  let announced = { headline: "", text: "", notices: "", at: null }; // for screen readers

  // ---- apps

  const normalize = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

  // Shows the icon of an app, or the first letter or digit of its name.
  function showIcon(icon, name) {
    const path = icons?.get(normalize(name));
    const initial = document.createTextNode((/[\p{L}\p{N}]/u.exec(name) ?? ["•"])[0]);
    if (path === undefined) {
      replaceContent(icon, initial);
      return;
    }
    const image = document.createElement("img");
    image.alt = "";
    image.src = path;
    image.addEventListener("error", () => replaceContent(icon, initial));
    replaceContent(icon, image);
  }

  function appItem(name) {
    const icon = createElement("span", "app-icon");
    icon.setAttribute("aria-hidden", "true");
    showIcon(icon, name);
    return createElement("li", "", icon, createElement("bdi", "", name));
  }

  function showApps(names) {
    const known = names !== undefined;
    const items = known ? names.filter(isText).map(appItem) : [];
    setText("apps-none", known ? "None" : "Not reported", true);
    setVisible("apps-none", items.length === 0);
    setVisible("apps", items.length > 0);
    replaceContent(byId("apps"), ...items);
  }

  // ---- music, battery, load

  function showTrack({ track, track_url: address }) {
    const name = createElement("bdi", "", track);
    byId("track").classList.remove("missing");
    // Only https URLs become links.
    if (!isText(address) || !/^https:/iu.test(address)) {
      replaceContent(byId("track"), name);
      return;
    }
    const link = createElement("a", "", name);
    link.href = address;
    link.rel = "noopener noreferrer external";
    replaceContent(byId("track"), link);
  }

  function showMusic(music) {
    const text = MUSIC.get(music.state);
    setVisible("artist", text !== undefined);
    if (text === undefined) {
      setText("track", music.state === "stopped" ? "Nothing is playing" : "Not reported", true);
      return;
    }
    if (isText(music.track)) showTrack(music);
    else setText("track", "Title not reported", true);
    setText("artist", `${text} · ${isText(music.artist) ? music.artist : "artist not reported"}`);
  }

  function showBattery(battery) {
    const known = isNumber(battery.percent);
    const charging = CHARGING.get(battery.charging);
    const power = POWER.get(battery.power_source);
    const isSomethingKnown = known || charging !== undefined || power !== undefined;
    const without = isSomethingKnown ? "Charge not reported" : "Not reported";
    setText("percent", known ? percentage.format(battery.percent / 100) : without, !known);
    setText("power", sentence(
      charging ?? "charging not reported",
      power ?? "power source not reported",
    ));
    setVisible("power", isSomethingKnown);
    setVisible("gauge", known);
    byId("gauge").toggleAttribute("data-low", known && battery.percent <= LOW_PERCENT);
    byId("gauge-part").setAttribute("width", known ? String(battery.percent) : "0");
  }

  function showLoad(system) {
    const loads = [["load-1", system.load_1m], ["load-5", system.load_5m], ["load-15", system.load_15m]];
    const hasLoad = loads.some(([, load]) => isNumber(load));
    setVisible("loads", hasLoad);
    setVisible("load-none", !hasLoad);
    for (const [id, load] of loads) {
      setText(id, isNumber(load) ? number.format(load) : "not reported", !isNumber(load));
    }
  }

  function showCards(snapshot, isStale) {
    setVisible("cards", snapshot !== null);
    byId("cards").classList.toggle("stale", isStale);
    if (snapshot === null || snapshot === shown) return;
    showApps(snapshot.running_apps);
    showMusic(snapshot.music);
    showBattery(snapshot.battery);
    showLoad(snapshot.system);
  }

  // ---- the headline

  // Describes a view: the state for CSS, its label, the title (null for the foreground app), the reason,
  // and the announcement where it differs from the title.
  function headlineOf(view, snapshot) {
    const plays = view.mode === "window" && view.reason !== "exhausted";
    if (isReachable === null) return { state: "loading", label: "Loading", title: "Loading the status" };
    if (!isReachable && !plays) return unreachableHeadline(snapshot);
    if (view.state === "offline") {
      return {
        state: "offline",
        label: "Offline",
        title: "The computer is not reporting",
        reason: "It may be switched off, asleep or without a network.",
      };
    }
    if (view.state === "gap") return gapHeadline(view);
    if (view.reason === "warm-up") return warmUpHeadline(view);
    if (view.mode === "window" && view.state === "buffering") return bufferingHeadline(snapshot);
    const hidden = snapshot.active_app === "System" ? "The name of the app is kept private." : "";
    return { state: "online", label: "Online", title: null, reason: hidden };
  }

  function unreachableHeadline(snapshot) {
    const below = snapshot === null ? "" : " Below is the last known status.";
    return {
      state: "unknown",
      label: "Unreachable",
      title: "The status is unknown",
      reason: `The status could not be loaded; the computer may be on or off.${below}`,
    };
  }

  function gapHeadline({ gap, at }) {
    const left = formatDuration(gap.end_at - at);
    return {
      state: "waiting",
      label: "Gap",
      title: sentence(timeline.GAPS.get(gap.reason)),
      reason: `There is no record from ${formatTime(gap.start_at)} to ${formatTime(gap.end_at)}. `
        + `This gap ends in ${left}.`,
    };
  }

  function warmUpHeadline({ warmUpSeconds, serverTime }) {
    const waitMs = 1_000 * warmUpSeconds;
    return {
      state: "waiting",
      label: "Warming up",
      title: `Playback starts in ${formatDuration(waitMs)}`,
      reason: "The computer is reporting. Its data is shown 7 minutes later.",
      announcement: `Playback starts at ${minute.format(serverTime + waitMs)}.`,
    };
  }

  function bufferingHeadline(snapshot) {
    const below = snapshot === null ? "" : " Below is the last state shown.";
    return {
      state: "waiting",
      label: "Buffering",
      title: "Waiting for the next part",
      reason: "All received data has been played; playback will continue where it stopped."
        + below,
    };
  }

  function showTitle(title, app) {
    const isApp = title === null;
    const known = isApp && isText(app);
    setVisible("front-label", isApp);
    setText("title", isApp && !known ? "App not reported" : title ?? app);
    setVisible("app-icon", known);
    if (known) showIcon(byId("app-icon"), app);
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

  function showHeadline(headline, app, notices) {
    byId("hero").dataset.state = headline.state;
    setVisible("state", true);
    setText("state", headline.label);
    showTitle(headline.title, app);
    setOptionalText("reason", headline.reason ?? "");
    const title = `${headline.label} · Device status`;
    if (document.title !== title) document.title = title;
    const text = headline.title === null
      ? `App in front: ${isText(app) ? app : "not reported"}.`
      : headline.announcement ?? `${headline.title}.`;
    const key = `${headline.label} ${headline.title === null ? "" : text}`;
    announce(key, `${headline.label}. ${text}`, notices);
  }

  // ---- times and notices

  function showTimes(view, headline) {
    const serverTime = view.serverTime ?? Date.now();
    const showsLastSeen = LAST_SEEN_STATES.has(headline.label) && view.lastSeen !== null;
    const isShown = view.mode !== null && !showsLastSeen;
    setVisible("last-seen", showsLastSeen);
    if (showsLastSeen) {
      setText("last-seen-ago", formatAgo(serverTime - view.lastSeen));
      setTime("last-seen-at", view.lastSeen);
    }
    setVisible("updated", isShown);
    if (isShown) {
      setText("updated-ago", `Updated ${formatAgo(serverTime - state.watermark.updatedAt)}`);
      setTime("updated-at", state.watermark.updatedAt);
    }
    const isLate = isReachable === true && view.mode === "snapshot" && view.reason === "exhausted";
    setVisible("late", isLate);
    byId("hero").toggleAttribute("data-late", isLate || (isReachable === false && headline.state === "online"));
  }

  function showDelay({ at, delaySeconds, state: playing }) {
    const isRunning = at !== null && (playing === "playing" || playing === "gap");
    const extraMs = isRunning ? 1_000 * delaySeconds - DELAY_MS : 0;
    setVisible("delay", isRunning);
    if (isRunning) {
      setText("delay-by", `Shown with a delay of ${formatDuration(1_000 * delaySeconds)}`);
      setTime("delay-at", at);
    }
    setOptionalText("extra-delay", extraMs < MIN_EXTRA_DELAY_MS ? "" : `That is ${formatDuration(extraMs)} more than usual: `
      + "after an interruption playback continues where it stopped, so that nothing is skipped.");
  }

  function describeLoss({ start, end, missed }) {
    const [first, last] = [formatTime(start), formatTime(end)];
    const what = missed === end - start ? `${first} to ${last} (${formatDuration(missed)})`
      : `${formatDuration(missed)} between ${first} and ${last}`;
    return `Not played: ${what}. It expired before this page could load it.`;
  }

  // Returns the notices for the announcement: without elapsed seconds, and with a key that stays the
  // same while a loss grows.
  function showNotices({ mode, lost, reason, bufferedSeconds }) {
    const lossText = lost === null ? "" : describeLoss(lost);
    const isUnreachable = isReachable === false && mode === "window" && reason !== "exhausted";
    setOptionalText("lost", lossText);
    setOptionalText("unread", isUnreachable ? "The service cannot be reached. The data received before "
      + `lasts for another ${formatDuration(1_000 * bufferedSeconds)}.` : "");
    const text = [lossText, isUnreachable ? "The service cannot be reached." : ""];
    return {
      key: [lost?.start, isUnreachable ? "unread" : ""].filter(Boolean).join(" "),
      text: text.filter(isText).join(" "),
    };
  }

  // ---- the page

  function draw() {
    const view = player.view(state, now());
    const snapshot = view.snapshot ?? (view.reason === "exhausted" ? player.remaining(state) : null);
    const headline = headlineOf(view, snapshot);
    const isStale = headline.state === "unknown" || (headline.state === "waiting" && snapshot !== null);
    showHeadline(headline, snapshot?.active_app, showNotices(view));
    showTimes(view, headline);
    showDelay(view);
    showCards(snapshot, isStale);
    shown = snapshot;
    if (loaded !== state.source) timeline.load(player.intervals(state));
    loaded = state.source;
    timeline.move(view.at, view.reason !== "exhausted");
  }

  // ---- requests

  async function get(path) {
    const response = await fetch(path, {
      cache: "no-store",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status !== 200) throw new Error(`unexpected status ${response.status}`);
    return response;
  }

  // Returns whether the response was valid; an old one changes nothing, but the service is reachable.
  async function requestTimeline() {
    const response = await (await get("api/timeline")).json();
    const serverTime = Date.parse(response?.server_time);
    const at = arrivalOf(serverTime);
    const [next, outcome] = player.accept(state, response, at);
    state = next;
    const { accepted, refused } = outcome;
    if (accepted === "window" || accepted === "snapshot") anchor = { ...readClocks(), at, serverTime };
    return accepted !== undefined || refused === "older" || refused === "rewound";
  }

  function parseIcons(manifest) {
    const found = new Map();
    for (const icon of Array.isArray(manifest?.icons) ? manifest.icons : []) {
      const names = Array.isArray(icon?.aliases) ? [icon.app, ...icon.aliases] : [icon?.app];
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(icon?.id)) continue;
      for (const name of names.filter(isText).map(normalize)) {
        if (name !== "system" && !found.has(name)) found.set(name, `api/icons/${icon.id}.png`);
      }
    }
    return found;
  }

  async function requestIcons() {
    const response = await fetch("api/icons", { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status !== 200) throw new Error(`unexpected status ${response.status}`);
    icons = parseIcons(await response.json());
  }

  // Icons are decoration: without them letters are shown, and the next request retries.
  async function addIcons() {
    try {
      await requestIcons();
      shown = null;
      draw();
    } catch {
      icons = null;
    }
  }

  async function refresh() {
    isRequesting = true;
    requestedAt = readClocks();
    try {
      isReachable = await requestTimeline();
    } catch {
      isReachable = false;
    }
    isRequesting = false;
    draw();
    if (isReachable && shown !== null && icons === null) await addIcons();
  }

  function isDue() {
    if (isRequesting) return false;
    const at = now();
    return requestedAt === null || polling.isDue(elapsedSince(requestedAt), player.view(state, at), at);
  }

  // Requests the status if it is due, and updates the page.
  function update() {
    if (document.hidden) return;
    if (isDue()) refresh();
    draw();
  }

  setInterval(update, TICK_MS);
  document.addEventListener("visibilitychange", update);
  update();
})();

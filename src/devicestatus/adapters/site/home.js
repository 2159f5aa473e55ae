// Reads api/timeline when the page opens and, while it is in view, as `reading` says; plays it back.
// What the service could not say (503, no connection, an answer that is not understood) is "not
// known", never "offline"; what was received before plays on meanwhile.  The artwork of the music is
// linked through its track and not loaded: it would tell a third party who is looking, and when.
(() => {
  const PATIENCE = 30_000; // ms until a reading without answer counts as failed
  const TICK = 1_000; // ms between two looks at the playhead
  const APART = 1_000; // ms by which two clocks may disagree without one of them having slept
  const QUIET = 15_000; // ms at least from one app to the next that is said
  const DELAY = 420_000; // ms that playback is behind when nothing held it up
  const SLACK = 10_000; // ms of more delay that are not worth a word
  const LOW = 20; // percent of charge from which the gauge warns
  const SILENT = new Set(["Offline", "Unreachable", "Buffering"]); // then "last seen" counts
  const MUSIC = new Map([["playing", "Playing"], ["paused", "Paused"]]);
  const CHARGING = new Map([[true, "charging"], [false, "not charging"]]);
  const POWER = new Map([["ac", "on mains power"], ["battery", "on battery"]]);

  const {
    ago, fill, isText, lasting, make, node, put, putTime, reveal, sentence, tell, timeOfDay,
  } = page;

  const isNumber = (value) => value !== null;
  const number = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const percentage = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
  const minute = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

  // ---- time

  // Of two clocks the one that went further counts: one stops while the computer sleeps, the other
  // can be set back.
  const mark = () => ({ steady: performance.now(), wall: Date.now() });
  const steadySince = (then) => Math.floor(performance.now() - then.steady);

  function since(then) {
    const [steady, wall] = [steadySince(then), Date.now() - then.wall];
    return wall - steady > APART ? wall : steady;
  }

  // The monotonic clock of playback.  A wall clock that was set ahead looks like sleep until the
  // next answer: between what the two clocks say has passed, the server's own time decides.
  let anchor = { ...mark(), at: 0, serverTime: null };

  const now = () => anchor.at + since(anchor);

  function arrival(serverTime) {
    const [least, most] = [steadySince(anchor), since(anchor)];
    const known = anchor.serverTime !== null && !Number.isNaN(serverTime);
    const passed = known ? serverTime - anchor.serverTime : least;
    return anchor.at + Math.min(Math.max(passed, least), most);
  }

  // ---- what is known

  let state = playback.START;
  let asked = null; // when the last reading began
  let isReading = false;
  let reached = null; // whether the last reading was understood; null before the first one
  let icons = null; // normal form of an app's name -> path of its icon; null until read
  let shown = null; // the snapshot that the cards show
  let loaded = null; // what the time line shows the window of
  let said = { scene: "", words: "", notices: "", at: null }; // what a screen reader was told last

  // ---- apps

  const normal = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

  // The image of an app, or the first letter or digit of its name.
  function fillTile(tile, name) {
    const path = icons?.get(normal(name));
    const initial = document.createTextNode((/[\p{L}\p{N}]/u.exec(name) ?? ["•"])[0]);
    if (path === undefined) {
      fill(tile, initial);
      return;
    }
    const image = document.createElement("img");
    image.alt = "";
    image.src = path;
    image.addEventListener("error", () => fill(tile, initial));
    fill(tile, image);
  }

  function appItem(name) {
    const tile = make("span", "tile");
    tile.setAttribute("aria-hidden", "true");
    fillTile(tile, name);
    return make("li", "", tile, make("bdi", "", name));
  }

  function showApps(names) {
    const known = names !== undefined;
    const items = known ? names.filter(isText).map(appItem) : [];
    put("apps-none", known ? "None" : "Not reported", true);
    reveal("apps-none", items.length === 0);
    reveal("apps", items.length > 0);
    fill(node("apps"), ...items);
  }

  // ---- music, battery, load

  function showTrack({ track, track_url: address }) {
    const name = make("bdi", "", track);
    node("track").classList.remove("none");
    // The catalog's page only: anything but https is no link here.
    if (!isText(address) || !/^https:/iu.test(address)) {
      fill(node("track"), name);
      return;
    }
    const link = make("a", "", name);
    link.href = address;
    link.rel = "noopener noreferrer external";
    fill(node("track"), link);
  }

  function showMusic(music) {
    const words = MUSIC.get(music.state);
    reveal("artist", words !== undefined);
    if (words === undefined) {
      put("track", music.state === "stopped" ? "Nothing is playing" : "Not reported", true);
      return;
    }
    if (isText(music.track)) showTrack(music);
    else put("track", "Title not reported", true);
    put("artist", `${words} · ${isText(music.artist) ? music.artist : "artist not reported"}`);
  }

  function showBattery(battery) {
    const known = isNumber(battery.percent);
    const charging = CHARGING.get(battery.charging);
    const power = POWER.get(battery.power_source);
    const something = known || charging !== undefined || power !== undefined;
    const without = something ? "Charge not reported" : "Not reported";
    put("percent", known ? percentage.format(battery.percent / 100) : without, !known);
    put("power", sentence(
      charging ?? "charging not reported",
      power ?? "power source not reported",
    ));
    reveal("power", something);
    reveal("gauge", known);
    node("gauge").toggleAttribute("data-low", known && battery.percent <= LOW);
    node("gauge-part").setAttribute("width", known ? String(battery.percent) : "0");
  }

  function showLoad(system) {
    const loads = [["load-1", system.load_1m], ["load-5", system.load_5m], ["load-15", system.load_15m]];
    const some = loads.some(([, load]) => isNumber(load));
    reveal("loads", some);
    reveal("load-none", !some);
    for (const [id, load] of loads) {
      put(id, isNumber(load) ? number.format(load) : "not reported", !isNumber(load));
    }
  }

  function showCards(snapshot, isStale) {
    reveal("cards", snapshot !== null);
    node("cards").classList.toggle("stale", isStale);
    if (snapshot === null || snapshot === shown) return;
    showApps(snapshot.running_apps);
    showMusic(snapshot.music);
    showBattery(snapshot.battery);
    showLoad(snapshot.system);
  }

  // ---- the headline

  // What there is to say of a view: its state's name and mark, then the title (null stands for the
  // app in front), then why, and what is said aloud where that is not the title.
  function sceneOf(view, rest) {
    const plays = view.mode === "window" && view.reason !== "exhausted";
    if (reached === null) return { mark: "reading", label: "Reading", title: "One moment" };
    if (!reached && !plays) return unknownScene(rest);
    if (view.state === "offline") {
      return {
        mark: "offline",
        label: "Offline",
        title: "The computer is not reporting",
        reason: "It may be switched off, asleep or without a network.",
      };
    }
    if (view.state === "gap") return gapScene(view);
    if (view.reason === "warm-up") return warmUpScene(view);
    if (view.mode === "window" && view.state === "buffering") return bufferingScene(rest);
    const hidden = rest.active_app === "System" ? "The name of the app is kept private." : "";
    return { mark: "online", label: "Online", title: null, reason: hidden };
  }

  function unknownScene(rest) {
    const below = rest === null ? "" : " Below is the last reading.";
    return {
      mark: "unknown",
      label: "Unreachable",
      title: "Not known just now",
      reason: `The status could not be read; the computer may be on or off.${below}`,
    };
  }

  function gapScene({ gap, at }) {
    const left = lasting(gap.end_at - at);
    return {
      mark: "waiting",
      label: "Gap",
      title: sentence(timeline.GAPS.get(gap.reason)),
      reason: `There is no record from ${timeOfDay(gap.start_at)} to ${timeOfDay(gap.end_at)}. `
        + `This gap ends in ${left}.`,
    };
  }

  function warmUpScene({ warmUpSeconds, serverTime }) {
    const wait = 1_000 * warmUpSeconds;
    return {
      mark: "waiting",
      label: "Warming up",
      title: `Playback begins in ${lasting(wait)}`,
      reason: "The computer is sending. What it sends is shown 7 minutes later.",
      aloud: `Playback begins at ${minute.format(serverTime + wait)}.`,
    };
  }

  function bufferingScene(rest) {
    const below = rest === null ? "" : " Below is what was played last.";
    return {
      mark: "waiting",
      label: "Buffering",
      title: "Waiting for the next part",
      reason: "Everything that was received has been played; playback goes on where it stopped."
        + below,
    };
  }

  function showTitle(title, app) {
    const isApp = title === null;
    const known = isApp && isText(app);
    reveal("front", isApp);
    put("title", isApp && !known ? "App not reported" : title ?? app);
    reveal("tile", known);
    if (known) fillTile(node("tile"), app);
  }

  // Says a change of the scene and of the notices at once, and apps not too often; a notice is said
  // once, though what it tells may grow, and the seconds that pass are never.
  function say(scene, words, notices) {
    const isSame = notices.key === said.notices;
    if (words === said.words && isSame) return;
    if (scene === said.scene && isSame && since(said.at) < QUIET) return;
    said = { scene, words, notices: notices.key, at: mark() };
    put("said", isSame || notices.key === "" ? words : `${words} ${notices.words}`);
  }

  function showHeadline(scene, app, notices) {
    node("hero").dataset.state = scene.mark;
    reveal("state", true);
    put("state", scene.label);
    showTitle(scene.title, app);
    tell("reason", scene.reason ?? "");
    const title = `${scene.label} · Device status`;
    if (document.title !== title) document.title = title;
    const words = scene.title === null
      ? `App in front: ${isText(app) ? app : "not reported"}.`
      : scene.aloud ?? `${scene.title}.`;
    const key = `${scene.label} ${scene.title === null ? "" : words}`;
    say(key, `${scene.label}. ${words}`, notices);
  }

  // ---- times and notices

  function showTimes(view, scene) {
    const serverTime = view.serverTime ?? Date.now();
    const isSilent = SILENT.has(scene.label) && view.lastSeen !== null;
    const isShown = view.mode !== null && !isSilent;
    reveal("seen", isSilent);
    if (isSilent) {
      put("seen-ago", ago(serverTime - view.lastSeen));
      putTime("seen-at", view.lastSeen);
    }
    reveal("updated", isShown);
    if (isShown) {
      put("updated-ago", `Updated ${ago(serverTime - state.watermark.updatedAt)}`);
      putTime("updated-at", state.watermark.updatedAt);
    }
    const isLate = reached === true && view.mode === "snapshot" && view.reason === "exhausted";
    reveal("late", isLate);
    node("hero").toggleAttribute("data-late", isLate || (reached === false && scene.mark === "online"));
  }

  function showDelay({ at, delaySeconds, state: playing }) {
    const runs = at !== null && (playing === "playing" || playing === "gap");
    const more = runs ? 1_000 * delaySeconds - DELAY : 0;
    reveal("delay", runs);
    if (runs) {
      put("delay-by", `Shown with a delay of ${lasting(1_000 * delaySeconds)}`);
      putTime("delay-at", at);
    }
    tell("behind", more < SLACK ? "" : `That is ${lasting(more)} more than usual: `
      + "after an interruption playback goes on where it stopped, so that nothing is left out.");
  }

  function lossWords({ start, end, missed }) {
    const [first, last] = [timeOfDay(start), timeOfDay(end)];
    const what = missed === end - start ? `${first} to ${last} (${lasting(missed)})`
      : `${lasting(missed)} between ${first} and ${last}`;
    return `Not played: ${what}. It was gone before this page could read it.`;
  }

  // Gives what was told, for the ear: without the seconds that pass, and with a key that stays the
  // same while a loss grows.
  function showNotices({ mode, lost, reason, bufferedSeconds }) {
    const lostWords = lost === null ? "" : lossWords(lost);
    const isUnread = reached === false && mode === "window" && reason !== "exhausted";
    tell("lost", lostWords);
    tell("unread", isUnread ? "The service cannot be reached just now. What was received before "
      + `lasts for another ${lasting(1_000 * bufferedSeconds)}.` : "");
    const words = [lostWords, isUnread ? "The service cannot be reached just now." : ""];
    return {
      key: [lost?.start, isUnread ? "unread" : ""].filter(Boolean).join(" "),
      words: words.filter(isText).join(" "),
    };
  }

  // ---- the whole

  function draw() {
    const view = playback.view(state, now());
    const rest = view.snapshot ?? (view.reason === "exhausted" ? playback.remaining(state) : null);
    const scene = sceneOf(view, rest);
    const isStale = scene.mark === "unknown" || (scene.mark === "waiting" && rest !== null);
    showHeadline(scene, rest?.active_app, showNotices(view));
    showTimes(view, scene);
    showDelay(view);
    showCards(rest, isStale);
    shown = rest;
    if (loaded !== state.source) timeline.load(playback.intervals(state));
    loaded = state.source;
    timeline.move(view.at, view.reason !== "exhausted");
  }

  // ---- reading

  async function get(path) {
    const response = await fetch(path, {
      cache: "no-store",
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (response.status !== 200) throw new Error("not answered");
    return response;
  }

  // Tells whether the answer was one; an old one changes nothing, but the service is there.
  async function readTimeline() {
    const answer = await (await get("api/timeline")).json();
    const serverTime = Date.parse(answer?.server_time);
    const at = arrival(serverTime);
    const [next, outcome] = playback.accept(state, answer, at);
    state = next;
    const { accepted, refused } = outcome;
    if (accepted === "window" || accepted === "snapshot") anchor = { ...mark(), at, serverTime };
    return accepted !== undefined || refused === "older" || refused === "rewound";
  }

  function iconsOf(manifest) {
    const found = new Map();
    for (const icon of Array.isArray(manifest?.icons) ? manifest.icons : []) {
      const names = Array.isArray(icon?.aliases) ? [icon.app, ...icon.aliases] : [icon?.app];
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(icon?.id)) continue;
      for (const name of names.filter(isText).map(normal)) {
        if (name !== "system" && !found.has(name)) found.set(name, `api/icons/${icon.id}.png`);
      }
    }
    return found;
  }

  async function readIcons() {
    const response = await fetch("api/icons", { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status !== 200) throw new Error("not answered");
    icons = iconsOf(await response.json());
  }

  // The icons are decoration: without them letters stand, and the next reading tries again.
  async function addIcons() {
    try {
      await readIcons();
      shown = null;
      draw();
    } catch {
      icons = null;
    }
  }

  async function read() {
    isReading = true;
    asked = mark();
    try {
      reached = await readTimeline();
    } catch {
      reached = false;
    }
    isReading = false;
    draw();
    if (reached && shown !== null && icons === null) await addIcons();
  }

  function isDue() {
    if (isReading) return false;
    const at = now();
    return asked === null || reading.isDue(since(asked), playback.view(state, at), at);
  }

  // One look: at whether it is time to read, and at where the playhead is.
  function look() {
    if (document.hidden) return;
    if (isDue()) read();
    draw();
  }

  setInterval(look, TICK);
  document.addEventListener("visibilitychange", look);
  look();
})();

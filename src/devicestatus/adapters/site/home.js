"use strict";
// Reads api/now when the page opens and every two minutes while it is in view, and shows the answer.
// What the service could not say (503, no connection, an answer that is not understood) is "not
// known", never "offline".  Answers go into the page as text only.  The artwork of the music is
// linked through its track and not loaded: it would tell a third party who is looking, and when.
(() => {
  const PERIOD = 120_000; // ms from one reading to the next: the contract's interval for this page
  const PATIENCE = 30_000; // ms until a reading without answer counts as failed
  const TICK = 5_000; // ms between two looks at "20 s ago"
  const LOW = 20; // percent of charge from which the gauge warns
  const MUSIC = new Map([["playing", "Playing"], ["paused", "Paused"]]);
  const CHARGING = new Map([[true, "charging"], [false, "not charging"]]);
  const POWER = new Map([["ac", "on mains power"], ["battery", "on battery"]]);

  const node = (id) => document.getElementById(id);
  const isText = (value) => typeof value === "string" && value !== "";
  const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
  const part = (value) => (value !== null && typeof value === "object" ? value : {});

  const number = new Intl.NumberFormat(undefined, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
  const percentage = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 });
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
  const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

  // Of two clocks the one that went further counts: one stops while the computer sleeps, the other
  // can be set back.
  const mark = () => ({ steady: performance.now(), wall: Date.now() });
  const since = (then) => Math.max(performance.now() - then.steady, Date.now() - then.wall);

  let asked = null; // when the last reading began
  let reading = false;
  let timer = 0;
  let answer = null; // the last answer that was understood, or null
  let received = null; // when it came, by the viewer's clocks
  let serverTime = 0; // when it came, by the server's clock
  let reached = true; // whether the last reading was understood
  let icons = null; // normal form of an app's name -> path of its icon; null until read

  // ---- words

  const normal = (name) => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();

  function instant(text) {
    const at = isText(text) ? Date.parse(text) : NaN;
    return Number.isNaN(at) ? null : at;
  }

  function span(seconds) {
    const units = [[86_400, "d"], [3_600, "h"], [60, "min"]];
    const unit = units.find(([size]) => seconds >= size);
    return unit ? `${Math.floor(seconds / unit[0])} ${unit[1]}` : `${seconds} s`;
  }

  function ago(ms) {
    const seconds = Math.floor(Math.max(0, ms) / TICK) * (TICK / 1_000);
    return seconds === 0 ? "just now" : `${span(seconds)} ago`;
  }

  function timeOfDay(at) {
    const today = day.format(Date.now()) === day.format(at);
    return today ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
  }

  function sentence(...parts) {
    const text = parts.filter(isText).join(", ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  // ---- parts of the page

  function put(id, text, none = false) {
    const place = node(id);
    // An unchanged text stays untouched, so that a screen reader does not say it again.
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("none", none);
  }

  function putTime(id, at) {
    put(id, timeOfDay(at));
    node(id).dateTime = new Date(at).toISOString();
  }

  // Equal content stays as it is: the keyboard's focus and the images survive a reading.
  function fill(place, ...made) {
    const old = [...place.childNodes];
    const same = old.length === made.length && made.every((item, n) => item.isEqualNode(old[n]));
    if (!same) place.replaceChildren(...made);
  }

  function reveal(id, shown) {
    node(id).toggleAttribute("hidden", !shown);
  }

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

  function showApp(name) {
    const known = isText(name);
    put("title", known ? name : "App not reported");
    reveal("tile", known);
    if (known) fillTile(node("tile"), name);
  }

  function appItem(name) {
    const item = document.createElement("li");
    const tile = document.createElement("span");
    const label = document.createElement("bdi");
    tile.className = "tile";
    tile.setAttribute("aria-hidden", "true");
    fillTile(tile, name);
    label.textContent = name;
    item.append(tile, label);
    return item;
  }

  function showApps(names) {
    const known = Array.isArray(names);
    const items = known ? names.filter(isText).map(appItem) : [];
    put("apps-none", known ? "None" : "Not reported", true);
    reveal("apps-none", items.length === 0);
    reveal("apps", items.length > 0);
    fill(node("apps"), ...items);
  }

  function showTrack(music) {
    const name = document.createElement("bdi");
    const link = document.createElement("a");
    name.textContent = music.track;
    node("track").classList.remove("none");
    // The catalog's page only: anything but https is no link here.
    const linked = isText(music.track_url) && /^https:/iu.test(music.track_url);
    if (linked) {
      link.href = music.track_url;
      link.rel = "noopener noreferrer external";
      link.append(name);
    }
    fill(node("track"), linked ? link : name);
  }

  function showMusic(music) {
    const state = MUSIC.get(music.state);
    reveal("artist", state !== undefined);
    if (state === undefined) {
      put("track", music.state === "stopped" ? "Nothing is playing" : "Not reported", true);
      return;
    }
    if (isText(music.track)) showTrack(music);
    else put("track", "Title not reported", true);
    put("artist", `${state} · ${isText(music.artist) ? music.artist : "artist not reported"}`);
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

  // ---- the whole

  function showOnline() {
    showApps(answer.running_apps);
    showMusic(part(answer.music));
    showBattery(part(answer.battery));
    showLoad(part(answer.system));
  }

  function showHeadline(state, label, title, reason) {
    node("hero").dataset.state = state;
    reveal("state", true);
    put("state", label);
    reveal("front", title === null);
    if (title !== null) {
      put("title", title);
      reveal("tile", false);
    }
    put("reason", reason);
    reveal("reason", reason !== "");
    document.title = `${label} · Device status`;
  }

  function showTimes() {
    const online = answer?.status === "online";
    const updated = online ? instant(answer.updated_at) : null;
    const expires = online ? instant(answer.expires_at) : null;
    const now = received === null ? 0 : serverTime + since(received);
    reveal("updated", updated !== null);
    if (updated !== null) {
      put("updated-ago", `Updated ${ago(now - updated)}`);
      putTime("updated-at", updated);
    }
    const late = reached && expires !== null && now >= expires;
    reveal("late", late);
    node("hero").toggleAttribute("data-late", late);
  }

  function showDelay() {
    const playback = answer?.status === "online" ? part(answer.playback) : {};
    const at = instant(playback.at);
    reveal("delay", at !== null);
    if (at === null) return;
    const by = isNumber(playback.delay_seconds) ? ` of ${span(playback.delay_seconds)}` : "";
    put("delay-by", `Shown with a delay${by}`);
    putTime("delay-at", at);
  }

  function show() {
    const online = answer?.status === "online";
    if (online) showOnline();
    if (!reached) {
      const below = online ? " Below is the last reading." : "";
      showHeadline("unknown", "Unreachable", "Not known just now",
        `The status could not be read; the computer may be on or off.${below}`);
    } else if (online) {
      const hidden = answer.active_app === "System" ? "The name of the app is kept private." : "";
      showHeadline("online", "Online", null, hidden);
      showApp(answer.active_app);
    } else {
      showHeadline("offline", "Offline", "The computer is not reporting",
        "It may be switched off, asleep or without a network.");
    }
    reveal("cards", online);
    node("cards").classList.toggle("stale", !reached);
    showDelay();
    showTimes();
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

  async function readStatus() {
    const response = await get("api/now");
    const body = part(await response.json());
    if (body.status !== "online" && body.status !== "offline") throw new Error("not understood");
    const date = Date.parse(response.headers.get("Date"));
    answer = body;
    received = mark();
    serverTime = Number.isNaN(date) ? Date.now() : date;
  }

  function iconsOf(manifest) {
    const found = new Map();
    for (const icon of Array.isArray(manifest.icons) ? manifest.icons : []) {
      const names = Array.isArray(icon.aliases) ? [icon.app, ...icon.aliases] : [icon.app];
      if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/u.test(icon.id)) continue;
      for (const name of names.filter(isText).map(normal)) {
        if (name !== "system" && !found.has(name)) found.set(name, `api/icons/${icon.id}.png`);
      }
    }
    return found;
  }

  async function readIcons() {
    const response = await fetch("api/icons", { signal: AbortSignal.timeout(PATIENCE) });
    if (response.status !== 200) throw new Error("not answered");
    icons = iconsOf(part(await response.json()));
  }

  // The icons are decoration: without them letters stand, and the next reading tries again.
  async function addIcons() {
    try {
      await readIcons();
      show();
    } catch {
      icons = null;
    }
  }

  async function read() {
    reading = true;
    asked = mark();
    try {
      await readStatus();
      reached = true;
    } catch {
      reached = false;
    }
    reading = false;
    schedule();
    show();
    if (reached && answer.status === "online" && icons === null) await addIcons();
  }

  function schedule() {
    clearTimeout(timer);
    if (document.hidden || reading) return;
    const wait = asked === null ? 0 : PERIOD - since(asked);
    if (wait <= 0) read();
    else timer = setTimeout(schedule, wait);
  }

  setInterval(() => { if (!document.hidden && answer !== null) showTimes(); }, TICK);
  document.addEventListener("visibilitychange", schedule);
  showHeadline("reading", "Reading", "One moment", "");
  schedule();
})();

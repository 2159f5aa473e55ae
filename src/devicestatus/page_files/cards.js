// Shows the music, the battery, the load and the open apps of a snapshot.  What it does not report
// takes no room, and is named in one line.
const cards = (() => {
  const LOW_PERCENT = 20; // of charge
  const MAX_APPS = 12; // that are shown at once
  const CHARGING = new Map([[true, "charging"], [false, "not charging"]]);
  const POWER = new Map([["ac", "on mains power"], ["battery", "on battery"]]);

  const {
    byId, createElement, formatList, formatNumber, isText, replaceContent, sentence,
    setOptionalText, setText, setVisible,
  } = page;

  const tenths = (load) => formatNumber(load).replace(/^\d+$/u, "$&.0"); // so that loads have one form
  const isHttps = (url) => /^https:/iu.test(url);

  function createTrack({ track, track_url: url }) {
    const name = createElement("bdi", "", track);
    if (!isHttps(url)) return name;
    return createElement("a", { href: url, rel: "noopener noreferrer" }, name);
  }

  // Artwork is loaded only where the owner allows it: it tells the catalog who looks at the page.
  function createCover({ state, track, artwork_url: url }) {
    const bars = createElement("span", "bars");
    bars.dataset.music = state;
    if (byId("music").dataset.artwork !== "yes" || !isHttps(url)) return bars;
    const safe = { className: "artwork", referrerPolicy: "no-referrer", loading: "lazy" };
    const image = createElement("img", { ...safe, alt: `Artwork of ${track}`, src: url });
    image.addEventListener("error", () => image.replaceWith(bars));
    return image;
  }

  function showMusic(music, isPast) {
    const isAudible = ["playing", "paused"].includes(music.state);
    setVisible("music", isAudible);
    if (!isAudible) return music.state === "stopped";
    replaceContent(byId("cover"), createCover(music));
    const hasTrack = isText(music.track);
    replaceContent(byId("track"), ...(hasTrack ? [createTrack(music)] : []));
    const state = sentence(`${isPast ? "was " : ""}${music.state}`, hasTrack ? "" : "title not reported");
    const artist = isText(music.artist) ? [", by ", createElement("bdi", "", music.artist)] : [];
    replaceContent(byId("artist"), createElement("span", "", state, ...artist));
    return true;
  }

  function showBattery({ percent, charging, power_source: source }, isPast) {
    const isUsual = charging === false && source === "battery";
    const texts = [isUsual ? "" : CHARGING.get(charging), POWER.get(source)].filter(isText);
    const isReported = percent !== null || texts.length > 0;
    setVisible("battery", isReported);
    setText("battery-name", percent === null ? "Power" : "Battery");
    const power = texts.length > 0 ? sentence(`${isPast ? "was " : ""}${texts.join(", ")}`) : "";
    setText("percent", percent === null ? power : `${formatNumber(percent)}\u00a0%`);
    setOptionalText("power", percent === null ? "" : power);
    byId("percent").toggleAttribute("data-low", percent !== null && percent <= LOW_PERCENT);
    return isReported;
  }

  function showLoad({ load_1m: one, load_5m: five, load_15m: fifteen }) {
    const known = [[one, 1], [five, 5], [fifteen, 15]].filter(([each]) => each !== null);
    setVisible("load", known.length > 0);
    if (known.length === 0) return false;
    const texts = known.map(([each, minutes]) => `${tenths(each)}\u00a0over\u00a0${minutes}\u00a0min`);
    setText("load-value", tenths(known[0][0]));
    setText("load-span", `over\u00a0${known[0][1]}\u00a0min`);
    setText("load-detail", sentence(...texts.slice(1)));
    return true;
  }

  function showApps(names, isPast) {
    setVisible("running", names?.length > 0);
    if (names === undefined) return false;
    const items = names.filter(isText).map((name) =>
      createElement("li", "", apps.createTile(name), createElement("bdi", "", apps.labelOf(name))));
    setText("apps-name", `Open apps${isPast ? " at that time" : ""}: ${items.length}`);
    replaceContent(byId("apps"), ...items.slice(0, MAX_APPS));
    replaceContent(byId("further-apps"), ...items.slice(MAX_APPS));
    setVisible("more", items.length > MAX_APPS);
    setText("more-name", `${items.length - MAX_APPS} more`);
    return true;
  }

  // Shows a snapshot, or nothing for null; `isPast` if it may not be so any more.
  function show(snapshot, isPast) {
    setVisible("cards", snapshot !== null);
    setVisible("missing", snapshot !== null);
    if (snapshot === null) return setVisible("music", false);
    const { active_app: app, running_apps: running } = snapshot;
    const isEmpty = running?.length === 0;
    const none = app === null ? "No apps shown" : "No open apps"; // the first while the screen is locked
    const missing = [
      [app !== null || isEmpty, "the foreground app"],
      [showMusic(snapshot.music, isPast), "music"],
      [showBattery(snapshot.battery, isPast), "battery"],
      [showLoad(snapshot.system), "load"],
      [showApps(running, isPast), "open apps"],
    ].filter(([isReported]) => !isReported).map(([, name]) => name);
    const texts = [
      isEmpty ? `${none}${isPast ? " at that time" : ""}.` : "",
      missing.length === 0 ? "" : `Not reported: ${formatList(missing)}.`,
    ];
    return setOptionalText("missing", texts.filter(isText).join(" "));
  }

  return { show };
})();

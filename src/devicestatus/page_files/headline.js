// Says what a view of the player means: the state, the title, and a detail below it.
const headline = (() => {
  const { formatMinute, formatTime, isText, sentence } = page;
  const { formatAge, formatDuration, formatInWords } = times;

  const OFFLINE = {
    state: "offline",
    label: "Offline",
    title: "Not reporting",
    detail: "The device may be off, asleep or without a network.",
  };
  const UNREACHABLE = {
    state: "unknown",
    label: "Unreachable",
    title: "The status is unknown",
    detail: "It could not be read; the device may be on or off.",
  };

  const shorten = (name) => ([...name].length > 60 ? `${[...name].slice(0, 59).join("").trimEnd()}…` : name);
  const late = (seconds) => `shown\u00a0${formatInWords(1_000 * seconds)}\u00a0late`;

  // Describes the last record, if it is not over; `last` is its snapshot, if that is still shown.
  function describeLast({ state, lastSeen: at, serverTime }, last) {
    if (at === null || state === "offline") return "";
    const app = isText(last?.active_app) ? `, in\u00a0${shorten(apps.labelOf(last.active_app))}` : "";
    const age = formatInWords((serverTime ?? Date.now()) - at);
    return `Last seen ${age}\u00a0ago (${formatTime(at)})${app}.${last === null ? "" : "\nThe rest of the page is from then."}`.replace("….", "…");
  }

  function gapOf({ gap, at, delaySeconds }) {
    return {
      state: "gap",
      label: "No record",
      title: sentence(timeline.GAPS.get(gap.reason).text),
      detail: `No record from\u00a0${formatTime(gap.start_at)} to\u00a0${formatTime(gap.end_at)}, ${late(delaySeconds)}. The next record is shown in\u00a0${formatDuration(gap.end_at - at)}.`,
    };
  }

  function warmUpOf({ warmUpSeconds, serverTime }) {
    const waitMs = 1_000 * warmUpSeconds;
    const first = `First status at\u00a0${formatMinute(serverTime + waitMs)}`;
    return {
      state: "starting",
      label: "Starting",
      title: "The device is reporting",
      detail: `${first}, in\u00a0${formatDuration(waitMs)}, ${late(timeline.DELAY_MS / 1_000)}`,
      announcement: `${first}.`,
    };
  }

  const pausedOf = (view, last) => ({
    state: "paused",
    label: "Paused",
    title: "Waiting for the next report",
    detail: describeLast(view, last),
  });

  // Returns the headline of what is reported; the title is the app, if one is reported.
  function onlineOf(view, run, isOnPaper) {
    const { active_app: app, collected_at: collected } = view.snapshot;
    const sinceOf = ({ since, isExact }) => (isOnPaper ? `since ${formatTime(since)}${isExact ? "" : " or earlier"}`
      : `for\u00a0${isExact ? "" : "at least\u00a0"}${formatInWords(view.at - since)}`);
    const detail = view.mode === "snapshot"
      ? `Reported ${formatAge(collected, view.serverTime, isOnPaper)}`
      : sentence(app === null || run === null ? "" : sinceOf(run), late(view.delaySeconds));
    const title = app === null ? "This device is on" : apps.labelOf(app);
    const announcement = app === null ? undefined : `Foreground app: ${title}.`;
    return { state: "online", label: "Online", title, detail, app, announcement };
  }

  // Describes a view, on paper with absolute times.
  //
  // last: the snapshot that is shown, also after its time; null without one.
  // isUnknown: whether reading it failed too often.
  // run: since when the app is in front, {since, isExact}; null where that is not known.
  // The announcement is given where it differs from the title.
  function of(view, last, isUnknown, run, isOnPaper) {
    if (isUnknown || view.state === "offline") {
      const found = isUnknown ? UNREACHABLE : OFFLINE;
      return { ...found, detail: `${found.detail} ${describeLast(view, last)}`.trimEnd() };
    }
    if (view.state === "gap") return gapOf(view);
    if (view.reason === "warm-up") return warmUpOf(view);
    if (view.state === "buffering") return pausedOf(view, last);
    return onlineOf(view, run, isOnPaper);
  }

  return { of };
})();

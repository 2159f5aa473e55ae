// Shows what travel.js computes: the slider, the facts and the picture.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { words, start, end, delayMs } = data;
  const session = travel.prepare(data);
  const byId = (id) => document.getElementById(id);
  const [slider, clock, strip, picture] = ["now", "clock", "strip", "picture"].map(byId);
  const PLAY_SPEED = 30; // seconds of server time in a second
  const NARROW = window.matchMedia("(max-width: 640px)");
  let now = data.at;
  let shownPicture = null;
  let timer = null;

  // ---- words

  const dateOf = (at) => new Date(at).toISOString().slice(0, 10);
  const timeOf = (at) => new Date(at).toISOString().slice(11, at % 1_000 === 0 ? 19 : 23);
  const isOneDay = dateOf(start) === dateOf(end);
  const when = (at) => (isOneDay ? "" : `${dateOf(at)} `) + timeOf(at);

  function duration(ms) {
    const seconds = Math.floor(ms / 1_000);
    const parts = [[Math.floor(seconds / 3_600), "h"], [Math.floor(seconds / 60) % 60, "min"], [seconds % 60, "s"]];
    const given = parts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`);
    return given.join(" ") || `${ms} ms`;
  }

  const relative = (at) => {
    if (at === now) return "now";
    return at > now ? `in ${duration(at - now)}` : `${duration(now - at)} ago`;
  };

  function why({ online, reason, gap, snapshot, at }) {
    if (online) {
      const since = snapshot.collected_at;
      const change = since === at ? "" : ` The state is that of ${when(since)}, the last change before it.`;
      return `The window covers ${when(at)}, and no gap does.${change}`;
    }
    const times = gap === null ? "" : ` (${words.gaps[gap.reason]}, ${when(gap.start_at)} to ${when(gap.end_at)})`;
    const text = words.reasons[reason] + times;
    return `${text[0].toUpperCase()}${text.slice(1)}.`;
  }

  const headline = ({ online, snapshot }) =>
    online ? `Online: ${snapshot.active_app ?? "foreground app unknown"}` : "Offline";

  // What a page shows that has read every response and plays it back.
  function describePage({ state, reason, at, delaySeconds, lost }) {
    const missed = lost === null ? "" : `; missed ${duration(lost.missed)} from ${when(lost.start)}`;
    if (state === "playing") {
      return `plays ${when(at)}, ${duration(delaySeconds * 1_000)} behind${missed}`;
    }
    if (state === "gap") return `is in a gap (${words.gaps[reason]})${missed}`;
    if (state === "offline") return "is offline";
    return (reason === "warm-up" ? "waits for the window to begin" : "has played all it has") + missed;
  }

  function momentFields(seen) {
    const { upload, deadline, nextChangeAt, at, page } = seen;
    const record = upload === null ? null : session.records[upload];
    const arrived = record === null || data.isHeld ? "" : `, arrived ${when(record.since)}`;
    const fields = {
      moment: `${when(at)}, ${duration(delayMs)} behind`,
      "next change": nextChangeAt === null
        ? "none, until something is written"
        : `${when(nextChangeAt)}, ${relative(nextChangeAt)}`,
      deadline: deadline === null ? "none" : `${when(deadline)}, ${relative(deadline)} (${words.deadline})`,
      upload: record === null ? "none has arrived" : `${upload + 1} of ${session.records.length}, batch ${record.batch}${arrived}`,
      window: record === null ? "none" : `${when(record.start)} to ${when(record.end)}`,
    };
    return page === null ? fields : { ...fields, "status page": describePage(page) };
  }

  // ---- elements

  function createElement(name, attributes, text = "") {
    const element = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.textContent = text;
    return element;
  }

  function showFields(id, fields) {
    const rows = Object.entries(fields).map(([name, text]) => {
      const row = document.createElement("tr");
      row.append(createElement("th", { scope: "row" }, name), createElement("td", {}, text));
      return row;
    });
    byId(id).replaceChildren(...rows);
  }

  const share = (at) => `${(100 * (at - start)) / Math.max(1, end - start)}%`;

  function showStrip() {
    const spans = travel.spans(session, start, end);
    const parts = spans.map((span) => {
      const kind = span.kind === "online" || span.kind === "gap" ? span.kind : "offline";
      const part = createElement("i", { class: kind });
      part.style.left = share(span.start);
      part.style.width = `${(100 * (span.end - span.start)) / Math.max(1, end - start)}%`;
      return part;
    });
    const arrivals = data.isHeld ? [] : session.records.map(({ since }) => since);
    const marks = arrivals.map((at) => {
      const mark = createElement("i", { class: "mark" });
      mark.style.left = share(at);
      return mark;
    });
    byId("legend-upload").hidden = arrivals.length === 0;
    strip.replaceChildren(...parts, ...marks);
    const counts = ["online", "gap"].map((kind) => spans.filter((span) => span.kind === kind).length);
    const text = `${counts[0]} times online, ${counts[1]} times offline in a gap`;
    strip.setAttribute("aria-label", `Status from ${when(start)} to ${when(end)}: ${text}.`);
  }

  function showHead(name, at, record, place) {
    const isInside = at !== null && at >= record.start && at <= record.end;
    const old = picture.querySelector(`.${name}`);
    if (!isInside) {
      old?.remove();
      return;
    }
    const part = (at - record.start) / Math.max(1, record.end - record.start);
    const head = old ?? createElement("div", { class: name === "page" ? "head page" : `head ${name}` });
    head.style.left = `${100 * (place.left + part * (place.right - place.left))}%`;
    head.style.top = `${100 * place.top}%`;
    head.style.bottom = `${100 * (1 - place.bottom)}%`;
    if (old === null) picture.append(head);
  }

  function captionOf(upload) {
    if (upload === null) return "The first window, which has not arrived yet";
    if (data.isHeld) return "The line marks the moment above.";
    const { length } = session.records;
    return `Window ${upload + 1} of ${length}. The line marks the moment above, a dashed one what the status page plays.`;
  }

  function showPicture({ upload, at, page }) {
    const record = session.records[upload ?? 0];
    const place = data.pictures[record.number][NARROW.matches ? 1 : 0];
    if (shownPicture !== place) {
      shownPicture = place;
      picture.innerHTML = place.svg; // made by this package: nothing in it runs, all text is escaped
    }
    byId("caption").textContent = captionOf(upload);
    showHead("now", upload === null ? null : at, record, place);
    const isOther = page !== null && page.at !== null && page.at !== at && page.state !== "offline";
    showHead("page", isOther ? page.at : null, record, place);
  }

  function show() {
    const seen = travel.look(session, now);
    const title = headline(seen);
    slider.value = String(Math.floor((now - start) / 1_000));
    slider.setAttribute("aria-valuetext", `${when(now)} UTC. ${title}`);
    clock.textContent = `${when(now)} UTC`;
    byId("headline").textContent = title;
    byId("why").textContent = why(seen);
    showFields("moment", momentFields(seen));
    const { snapshot } = seen;
    const fields = snapshot === null ? {} : travel.fields(snapshot, words);
    showFields("state", { status: snapshot === null ? "offline" : "online", ...fields });
    showPicture(seen);
    byId("before").disabled = travel.changeBefore(session, now) === null || now <= start;
    byId("after").disabled = travel.changeAfter(session, now) === null || now >= end;
  }

  // ---- moving

  function move(at) {
    now = Math.min(Math.max(at, start), end);
    show();
  }

  function stop() {
    clearInterval(timer);
    timer = null;
    byId("play").textContent = "Play";
    byId("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer !== null) return stop();
    if (now >= end) move(start);
    const STEP_MS = 100;
    timer = setInterval(() => {
      move(now + STEP_MS * PLAY_SPEED);
      if (now >= end) stop();
    }, STEP_MS);
    byId("play").textContent = "Pause";
    byId("play").setAttribute("aria-pressed", "true");
    return undefined;
  }

  slider.max = String(Math.ceil((end - start) / 1_000));
  slider.addEventListener("input", () => {
    stop();
    move(start + 1_000 * Number(slider.value));
  });
  byId("play").addEventListener("click", play);
  byId("before").addEventListener("click", () => {
    stop();
    move(travel.changeBefore(session, now) ?? now);
  });
  byId("after").addEventListener("click", () => {
    stop();
    move(travel.changeAfter(session, now) ?? now);
  });
  NARROW.addEventListener("change", show);
  byId("changes").open = false;
  byId("controls").hidden = false;
  showStrip();
  show();
})();

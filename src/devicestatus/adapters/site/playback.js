"use strict";
// The consumer's end of the window: what a page shows, 420 s behind the server.
//
// The twin of devicestatus.player.player and devicestatus.player.timeline_response, with their invariants: the server's
// clock only runs on, nothing old is shown, the playhead moves forward only, nothing recoverable is
// skipped, a loss is told whole, only the service says offline, a view is a pure function.  Tests hold both against the
// same stories.  All functions are pure: a state is never changed, an answer neither.
//
//   let [state, outcome] = playback.accept(playback.START, textOrValue, monotonicMs);
//   const view = playback.view(state, monotonicMs);
//
// Instants are ms since the epoch, or of the caller's monotonic clock where the name says so.
// An answer is held to the contract's types, instants, orders and relations, so that nonsense never
// gets further than this; what a text may hold, how long it is, and the pair of the music's URLs are
// left to the service.
// Members of a later version are passed over at every depth.
const playback = (() => {
  const DELAY = 420_000; // ms from server time back to the playhead
  const LIFETIME = 600_000; // ms from the end of a window to its deadline
  const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z"); // stands for deadlines after it
  const SPAN = 900_000; // ms of the longest window
  const LAG = 30_000; // ms from the end of a window to its batch, at most
  const SESSIONS_KEPT = 16; // sessions last days, and a copy of a batch at most minutes
  const SKEW = 120_000; // ms from the device's clock to the server's, at most
  const [EVENTS, GAPS, APPS] = [2_048, 128, 64]; // items of the lists, at most

  // ---- reading an answer

  class NoAnswer extends Error {} // its message is the reason

  function must(holds) {
    if (!holds) throw new NoAnswer("invalid");
  }

  const isObject = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value);

  function text(value) {
    must(typeof value === "string");
    return value;
  }

  const oneOf = (...words) => (value) => {
    must(words.includes(value));
    return value;
  };

  const nullable = (read) => (value) => (value === null ? null : read(value));

  const optional = (read) => Object.assign((value) => read(value), { optional: true });

  const matching = (pattern) => (value) => {
    must(pattern.test(text(value)));
    return value;
  };

  const number = (most) => (value) => {
    must(typeof value === "number" && value >= 0 && value <= most);
    return value;
  };

  const integer = (least) => (value) => {
    must(Number.isSafeInteger(value) && value >= least);
    return value;
  };

  // Text that the pattern takes may still name no instant: a date that does not exist rolls over.
  const instant = (pattern) => (value) => {
    const parts = pattern.exec(text(value));
    must(parts !== null);
    const [, seconds, fraction = ""] = parts;
    const whole = `${seconds}.${fraction.padEnd(3, "0")}Z`;
    const at = Date.parse(whole);
    must(!Number.isNaN(at) && !whole.startsWith("0000"));
    must(new Date(at).toISOString() === whole);
    return at;
  };

  const millisecondInstant = instant(/^(.{19})\.([0-9]{3})Z$/u);
  const utcInstant = instant(/^(.{19})(?:\.([0-9]{1,3}))?Z$/u);

  const list = (read, most) => (value) => {
    must(Array.isArray(value) && value.length <= most);
    return value.map((item) => read(item));
  };

  function runningApps(value) {
    const names = list(text, APPS)(value);
    must(new Set(names).size === names.length);
    return names;
  }

  // Only the members that are named here get in.
  const record = (members) => {
    const named = Object.entries(members);
    return (value) => {
      must(isObject(value));
      const found = {};
      for (const [name, read] of named) {
        if (Object.hasOwn(value, name)) found[name] = read(value[name]);
        else must(read.optional);
      }
      return found;
    };
  };

  const load = nullable(number(100_000));
  const metrics = {
    active_app: nullable(text),
    battery: record({
      percent: nullable(number(100)),
      charging: nullable(oneOf(true, false)),
      power_source: oneOf("ac", "battery", "unknown"),
    }),
    system: record({ load_1m: load, load_5m: load, load_15m: load }),
    music: record({
      state: oneOf("playing", "paused", "stopped", "unavailable"),
      track: nullable(text),
      artist: nullable(text),
      artwork_url: optional(nullable(text)),
      track_url: optional(nullable(text)),
    }),
    running_apps: runningApps,
  };
  const readChanges = record(
    Object.fromEntries(Object.entries(metrics).map(([name, read]) => [name, optional(read)])),
  );

  // An event may change only what a later version knows, but not nothing.
  function someChanges(value) {
    const found = readChanges(value);
    must(Object.keys(value).length > 0);
    return found;
  }

  const snapshotWith = (collectedAt) => ({
    schema_version: oneOf(1),
    collected_at: collectedAt,
    ...metrics,
    running_apps: optional(runningApps),
  });

  const readWindow = record({
    status: oneOf("online"),
    mode: oneOf("window"),
    server_time: millisecondInstant,
    updated_at: utcInstant,
    expires_at: millisecondInstant,
    policy: record({
      upload_interval_seconds: oneOf(300),
      window_seconds: oneOf(900),
      playback_delay_seconds: oneOf(420),
      poll_interval_seconds: oneOf(60),
      sample_interval_seconds: oneOf(2),
      metrics_interval_seconds: oneOf(30),
    }),
    window: record({
      schema_version: oneOf(2),
      session_id: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u),
      batch_seq: integer(1),
      generated_at: millisecondInstant,
      window_start: millisecondInstant,
      window_end: millisecondInstant,
      baseline: record(snapshotWith(millisecondInstant)),
      events: list(
        record({
          seq: integer(1),
          at: millisecondInstant,
          changes: someChanges,
        }),
        EVENTS,
      ),
      gaps: list(
        record({
          start_at: millisecondInstant,
          end_at: millisecondInstant,
          reason: oneOf("sleep", "restart", "collection", "overflow", "clock"),
        }),
        GAPS,
      ),
      dropped_events: integer(0),
    }),
  });

  const readEnvelope = record({
    server_time: millisecondInstant,
    updated_at: utcInstant,
    expires_at: utcInstant,
  });
  const readSnapshot = record(snapshotWith(utcInstant));

  function checkTimes({ updated_at, server_time, expires_at }, deviceTime) {
    must(updated_at <= server_time);
    must(server_time < expires_at || expires_at === LAST_INSTANT);
    must(Math.abs(deviceTime - updated_at) <= SKEW);
  }

  function checkEvents(events, start, end) {
    let last = { seq: 0, at: start };
    for (const event of events) {
      must(event.seq > last.seq && event.at >= last.at && event.at <= end);
      last = event;
    }
  }

  function checkGaps(gaps, start, end) {
    let last = start;
    for (const gap of gaps) {
      must(last <= gap.start_at && gap.start_at < gap.end_at && gap.end_at <= end);
      last = gap.end_at;
    }
  }

  function windowAnswer(value) {
    const answer = readWindow(value);
    const { window_start: start, window_end: end, ...window } = answer.window;
    checkTimes(answer, window.generated_at);
    must(answer.expires_at === Math.min(end + LIFETIME, LAST_INSTANT));
    must(start <= end && end - start <= SPAN);
    must(end <= window.generated_at && window.generated_at - end <= LAG);
    must(window.baseline.collected_at === start);
    checkEvents(window.events, start, end);
    checkGaps(window.gaps, start, end);
    return answer;
  }

  function snapshotAnswer(value) {
    const answer = { mode: "snapshot", ...readEnvelope(value), snapshot: readSnapshot(value) };
    checkTimes(answer, answer.snapshot.collected_at);
    return answer;
  }

  function parsed(answer) {
    if (typeof answer !== "string") return answer;
    try {
      return JSON.parse(answer.replace(/^\uFEFF/u, ""));
    } catch {
      throw new NoAnswer("unreadable");
    }
  }

  function read(answer) {
    const value = parsed(answer);
    if (!isObject(value)) throw new NoAnswer("unreadable");
    if (value.status === "online") {
      return value.mode === "snapshot" ? snapshotAnswer(value) : windowAnswer(value);
    }
    if (Object.hasOwn(value, "error")) throw new NoAnswer("error");
    if (value.status !== "offline") throw new NoAnswer("unreadable");
    return { mode: "offline" };
  }

  // ---- a window as a step function of time

  // How many of the ascending instants are not after one of them.
  function countUntil(instants, at) {
    let [low, high] = [0, instants.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (instants[middle] <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // A member that is given replaces the old value as a whole; of one instant the last state stays.
  function replay({ window_start: start, baseline, events }) {
    const times = [start];
    const states = [baseline];
    for (const { at, changes: given } of events) {
      const state = { ...states.at(-1), ...given, collected_at: at };
      if (at === times.at(-1)) {
        states[states.length - 1] = state;
      } else {
        times.push(at);
        states.push(state);
      }
    }
    return { times, states };
  }

  const WARM_UP = { reason: "warm-up" };
  const EXHAUSTED = { reason: "exhausted" };

  // stages[0] is seen before all changes, stages[n] from changes[n - 1] on.
  function prepare(window) {
    const { times, states } = replay(window);
    const moments = [];
    const stages = [WARM_UP];
    const play = (start, end) => {
      if (start >= end) return;
      let position = countUntil(times, start);
      moments.push(start);
      stages.push({ snapshot: states[position - 1] });
      for (; position < times.length && times[position] < end; position += 1) {
        moments.push(times[position]);
        stages.push({ snapshot: states[position] });
      }
    };
    let since = window.window_start;
    for (const gap of window.gaps) {
      play(since, gap.start_at);
      moments.push(gap.start_at);
      stages.push({ gap });
      since = gap.end_at;
    }
    play(since, window.window_end);
    moments.push(window.window_end);
    stages.push(EXHAUSTED);
    return { window, changes: moments, stages };
  }

  // ---- accepting

  // What all views between two answers share.
  const NO_TRACK = { mode: null, start: null, end: null, lastSeen: null, lost: null };

  const isFilm = (source) => source.prepared !== undefined;

  const headAt = (film, at) => Math.min(at + film.offset, film.track.end);

  // The newest of what was accepted, and of each session that was left, its last batch_seq.
  const NO_MARK = { updatedAt: -Infinity, sessionId: null, batchSeq: 0, windowEnd: 0, left: [] };

  function refusal(mark, answer) {
    if (answer.updated_at < mark.updatedAt) return "older";
    if (answer.mode === "snapshot") return null;
    const { session_id: session, batch_seq: batch, window_end: end } = answer.window;
    if (session === mark.sessionId) {
      return batch < mark.batchSeq || end < mark.windowEnd ? "rewound" : null;
    }
    const last = mark.left.findLast(([id]) => id === session)?.[1];
    return last === undefined || (batch > last && end > mark.windowEnd) ? null : "older";
  }

  function raised(mark, answer) {
    if (answer.mode === "snapshot") return { ...mark, updatedAt: answer.updated_at };
    const { session_id: sessionId, batch_seq: batchSeq, window_end: windowEnd } = answer.window;
    const leaves = mark.sessionId !== null && mark.sessionId !== sessionId;
    const left = leaves ? [...mark.left, [mark.sessionId, mark.batchSeq]].slice(-SESSIONS_KEPT) : mark.left;
    return { updatedAt: answer.updated_at, sessionId, batchSeq, windowEnd, left };
  }

  // Where the last window's playhead stands, or waits since something else is shown.
  function stopped({ source, stop }, at) {
    if (!isFilm(source)) return stop;
    const { start, lost } = source.track;
    return { sessionId: source.prepared.window.session_id, head: headAt(source, at), start, lost };
  }

  // Where playback of the same session goes on, and what was lost of it last.
  function resumed(stop, start, target) {
    const unplayed = Math.max(stop.head, stop.start);
    const lost = unplayed < start ? withLoss(stop.lost, unplayed, start) : stop.lost;
    return [Math.max(stop.head, Math.min(target, start)), lost];
  }

  // What is told once [start, end) is lost as well: losses with less than 900 s between them are one;
  // `missed` is how long they are together.
  function withLoss(told, start, end) {
    if (told === null || start <= told.start || start >= told.end + SPAN) {
      return { start, end, missed: end - start };
    }
    // In warm-up a window may give back the end of what was lost, and that may be lost again.
    return { start: told.start, end, missed: told.missed + end - Math.max(start, told.end) };
  }

  function filmOf(window, at, lead, stop) {
    const { window_start: start, window_end: end } = window;
    const target = lead + at - DELAY;
    const continues = stop !== null && stop.sessionId === window.session_id;
    const [head, lost] = continues ? resumed(stop, start, target) : [target, null];
    const track = { mode: "window", start, end, lastSeen: end, lost };
    // The playhead is monotonic time plus the offset, until the window ends.
    return { prepared: prepare(window), since: at, lead, offset: head - at, track };
  }

  function stillOf({ snapshot, expires_at: expiresAt }, at, lead) {
    const track = { ...NO_TRACK, mode: "snapshot", lastSeen: snapshot.collected_at };
    return { snapshot, expiresAt, since: at, lead, track };
  }

  // lead: server time minus monotonic time; latest: monotonic instant of the last accepted answer;
  // source: what shows: a film (a window that plays), a still (a v1 snapshot) or a blank; stop: where
  // the last window waits while something else is shown.
  const START = {
    watermark: NO_MARK,
    lead: null,
    latest: null,
    source: { stage: WARM_UP, track: NO_TRACK, since: 0, lead: null },
    stop: null,
  };

  function silenced(state, at) {
    const { lead, source } = state;
    const track = { ...NO_TRACK, lastSeen: source.track.lastSeen };
    const blank = { stage: null, track, since: at, lead };
    return { ...state, latest: at, source: blank, stop: stopped(state, at) };
  }

  function taken(state, answer, monotonicMs) {
    const at = state.latest === null ? monotonicMs : Math.max(monotonicMs, state.latest);
    if (answer.mode === "offline") return silenced(state, at);
    const reason = refusal(state.watermark, answer);
    if (reason !== null) throw new NoAnswer(reason);
    const measured = answer.server_time - at;
    const lead = state.lead === null ? measured : Math.max(measured, state.lead);
    const watermark = raised(state.watermark, answer);
    const stop = stopped(state, at);
    if (answer.mode === "snapshot") {
      return { watermark, lead, latest: at, source: stillOf(answer, at, lead), stop };
    }
    const film = filmOf(answer.window, at, lead, stop);
    return { watermark, lead, latest: at, source: film, stop: null };
  }

  // Takes an answer's text, or its value, as it arrived at an instant of the monotonic clock; gives
  // the state after it, and {accepted: mode} or {refused: reason}, which leaves the state the same.
  function accept(state, given, monotonicMs) {
    try {
      const answer = read(given);
      return [taken(state, answer, monotonicMs), { accepted: answer.mode }];
    } catch (fault) {
      if (!(fault instanceof NoAnswer)) throw fault;
      return [state, { refused: fault.message }];
    }
  }

  // ---- viewing

  function stateOf(stage) {
    if (stage === null) return "offline";
    if (stage.snapshot !== undefined) return "playing";
    return stage.gap === undefined ? "buffering" : "gap";
  }

  // Intervals in seconds, exact to the millisecond; null where there is nothing to measure.
  function viewOf(stage, track, serverTime = null, head = null, nextChangeAt = null) {
    const { mode, start, end, lastSeen, lost } = track;
    const isMeasured = head !== null && start !== null;
    const warmUpSeconds = isMeasured && head < start ? (start - head) / 1_000 : null;
    const at = warmUpSeconds === null ? head : null;
    return {
      state: stateOf(stage),
      reason: reasonOf(stage),
      gap: stage?.gap ?? null,
      snapshot: stage?.snapshot ?? null,
      mode,
      serverTime,
      at,
      delaySeconds: at === null ? null : (serverTime - at) / 1_000,
      bufferedSeconds: isMeasured ? (end - Math.max(start, head)) / 1_000 : null,
      warmUpSeconds,
      lost,
      nextChangeAt,
      lastSeen,
    };
  }

  const reasonOf = (stage) => stage?.gap?.reason ?? stage?.reason ?? null;

  function viewOfFilm({ prepared, since, lead, offset, track }, monotonicMs) {
    const { changes: moments, stages } = prepared;
    const at = Math.max(monotonicMs, since);
    let position = countUntil(moments, at + offset);
    const stage = stages[position];
    if (position === moments.length) return viewOf(stage, track, at + lead, track.end);
    if (stage.snapshot === undefined) {
      // Gaps of one reason that touch are told apart by nothing but their ends.
      while (reasonOf(stage) === reasonOf(stages[position + 1])) position += 1;
    }
    return viewOf(stage, track, at + lead, at + offset, moments[position] - offset);
  }

  function viewOfStill({ snapshot, expiresAt, since, lead, track }, monotonicMs) {
    const now = lead + Math.max(monotonicMs, since);
    if (now >= expiresAt) return viewOf(EXHAUSTED, track, now);
    return viewOf({ snapshot }, track, now, null, expiresAt - lead);
  }

  function viewOfBlank({ stage, since, lead, track }, monotonicMs) {
    return viewOf(stage, track, lead === null ? null : lead + Math.max(monotonicMs, since));
  }

  // What to show at an instant of the monotonic clock; one before the last accepted answer counts
  // as that answer's.
  function view({ source }, monotonicMs) {
    if (isFilm(source)) return viewOfFilm(source, monotonicMs);
    return (source.stage === undefined ? viewOfStill : viewOfBlank)(source, monotonicMs);
  }

  // The window that plays, cut where something changes: [{start, end, snapshot or gap}], in order;
  // empty when no window plays.
  function intervals({ source }) {
    if (!isFilm(source)) return [];
    const { changes: moments, stages } = source.prepared;
    return moments.slice(1).map((end, n) => ({ start: moments[n], end, ...stages[n + 1] }));
  }

  // What stays on the screen when playback has run dry: the last state before that, if there is one.
  function remaining({ source }) {
    return (isFilm(source) ? source.prepared.stages.at(-2).snapshot : source.snapshot) ?? null;
  }

  return { START, accept, view, intervals, remaining };
})();

if (typeof module === "object") module.exports = playback;

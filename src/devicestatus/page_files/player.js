"use strict";
// Plays windows back for the home page, 420 s behind the server.
//
// A port of devicestatus.player with the same invariants; tests run both with the same
// sequences of responses.  All functions are pure: states and responses are never changed.
//
//   let [state, outcome] = player.accept(player.START, textOrValue, monotonicMs);
//   const view = player.view(state, monotonicMs);
//
// Instants are ms since the epoch, or of the caller's monotonic clock where the name contains
// `monotonic`.  A response is validated: types, instants, order and relations between fields.  The
// content and length of texts and the pair of music URLs are left to the service.  Unknown members
// are ignored at every depth, because a later version may add some.
const player = (() => {
  const DELAY_MS = 420_000; // PLAYBACK_DELAY_MS: from the playhead to server time
  const LIFETIME_MS = 600_000; // WINDOW_LIFETIME_MS: from the end of a window to its deadline
  const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z"); // replaces later deadlines
  const MAX_WINDOW_MS = 900_000; // WINDOW_SPAN_MS
  const MAX_LAG_MS = 30_000; // GENERATION_LAG_MS: from the end of a window to its generated_at
  const MAX_SESSIONS = 16; // remembered: sessions last days, delayed copies of a batch minutes
  const MAX_SKEW_MS = 120_000; // CLOCK_SKEW_MS: between the clocks of device and server
  const MAX_EVENTS = 2_048; // WINDOW_EVENTS
  const MAX_GAPS = 128; // WINDOW_GAPS
  const MAX_APPS = 64; // RUNNING_APPS
  const MAX_LOAD = 100_000; // LOAD_MAX
  const MAX_PERCENT = 100; // BATTERY_PERCENT_MAX

  // ---- parsing a response

  class RefusedError extends Error {} // the message is the reason

  function check(condition) {
    if (!condition) throw new RefusedError("invalid");
  }

  const isObject = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value);

  const checked = (holds) => (value) => {
    check(holds(value));
    return value;
  };

  const text = checked((value) => typeof value === "string");
  const oneOf = (...choices) => checked((value) => choices.includes(value));
  const matching = (pattern) => checked((value) => pattern.test(text(value)));
  const number = (max) => checked((value) => typeof value === "number" && value >= 0 && value <= max);
  const integer = (min) => checked((value) => Number.isSafeInteger(value) && value >= min);

  const nullable = (parse) => (value) => (value === null ? null : parse(value));

  const optional = (parse) => Object.assign((value) => parse(value), { optional: true });

  // Date.parse accepts dates that do not exist, such as February 30, and returns a later day.
  const instant = (pattern) => (value) => {
    const parts = pattern.exec(text(value));
    check(parts !== null);
    const [, seconds, fraction = ""] = parts;
    const whole = `${seconds}.${fraction.padEnd(3, "0")}Z`;
    const at = Date.parse(whole);
    check(!Number.isNaN(at) && !whole.startsWith("0000"));
    check(new Date(at).toISOString() === whole);
    return at;
  };

  const millisecondInstant = instant(/^(.{19})\.([0-9]{3})Z$/u);
  const utcInstant = instant(/^(.{19})(?:\.([0-9]{1,3}))?Z$/u);

  const list = (parse, max) => (value) => {
    check(Array.isArray(value) && value.length <= max);
    return value.map((item) => parse(item));
  };

  function runningApps(value) {
    const names = list(text, MAX_APPS)(value);
    check(new Set(names).size === names.length);
    return names;
  }

  // Unknown members are dropped.
  const record = (members) => {
    const named = Object.entries(members);
    return (value) => {
      check(isObject(value));
      const found = {};
      for (const [name, parse] of named) {
        if (Object.hasOwn(value, name)) found[name] = parse(value[name]);
        else check(parse.optional);
      }
      return found;
    };
  };

  const load = nullable(number(MAX_LOAD));
  const metrics = {
    active_app: nullable(text),
    battery: record({
      percent: nullable(number(MAX_PERCENT)),
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
  const changesRecord = record(
    Object.fromEntries(Object.entries(metrics).map(([name, parse]) => [name, optional(parse)])),
  );

  // An event may have only members of a later version, but at min one.
  function parseChanges(value) {
    const found = changesRecord(value);
    check(Object.keys(value).length > 0);
    return found;
  }

  const snapshotMembers = (collectedAt) => ({
    schema_version: oneOf(1),
    collected_at: collectedAt,
    ...metrics,
    running_apps: optional(runningApps),
  });

  const windowRecord = record({
    status: oneOf("online"),
    mode: oneOf("window"),
    server_time: millisecondInstant,
    updated_at: utcInstant,
    expires_at: millisecondInstant,
    policy: record({
      upload_interval_seconds: oneOf(300), // UPLOAD_INTERVAL_SECONDS
      window_seconds: oneOf(900), // WINDOW_SECONDS
      playback_delay_seconds: oneOf(420), // PLAYBACK_DELAY_SECONDS
      poll_interval_seconds: oneOf(60), // POLL_INTERVAL_SECONDS
      sample_interval_seconds: oneOf(2), // SAMPLE_INTERVAL_SECONDS
      metrics_interval_seconds: oneOf(30), // METRICS_INTERVAL_SECONDS
    }),
    window: record({
      schema_version: oneOf(2),
      session_id: matching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u),
      batch_seq: integer(1),
      generated_at: millisecondInstant,
      window_start: millisecondInstant,
      window_end: millisecondInstant,
      baseline: record(snapshotMembers(millisecondInstant)),
      events: list(
        record({
          seq: integer(1),
          at: millisecondInstant,
          changes: parseChanges,
        }),
        MAX_EVENTS,
      ),
      gaps: list(
        record({
          start_at: millisecondInstant,
          end_at: millisecondInstant,
          reason: oneOf("sleep", "restart", "collection", "overflow", "clock"),
        }),
        MAX_GAPS,
      ),
      dropped_events: integer(0),
    }),
  });

  const envelopeRecord = record({
    server_time: millisecondInstant,
    updated_at: utcInstant,
    expires_at: utcInstant,
  });
  const snapshotRecord = record(snapshotMembers(utcInstant));

  function checkTimes({ updated_at, server_time, expires_at }, deviceTime) {
    check(updated_at <= server_time);
    check(server_time < expires_at || expires_at === LAST_INSTANT);
    check(Math.abs(deviceTime - updated_at) <= MAX_SKEW_MS);
  }

  function checkEvents(events, start, end) {
    let last = { seq: 0, at: start };
    for (const event of events) {
      check(event.seq > last.seq && event.at >= last.at && event.at <= end);
      last = event;
    }
  }

  function checkGaps(gaps, start, end) {
    let last = start;
    for (const gap of gaps) {
      check(last <= gap.start_at && gap.start_at < gap.end_at && gap.end_at <= end);
      last = gap.end_at;
    }
  }

  function parseWindow(value) {
    const response = windowRecord(value);
    const { window_start: start, window_end: end, ...window } = response.window;
    checkTimes(response, window.generated_at);
    check(response.expires_at === Math.min(end + LIFETIME_MS, LAST_INSTANT));
    check(start <= end && end - start <= MAX_WINDOW_MS);
    check(end <= window.generated_at && window.generated_at - end <= MAX_LAG_MS);
    check(window.baseline.collected_at === start);
    checkEvents(window.events, start, end);
    checkGaps(window.gaps, start, end);
    return response;
  }

  function parseSnapshot(value) {
    const response = { mode: "snapshot", ...envelopeRecord(value), snapshot: snapshotRecord(value) };
    checkTimes(response, response.snapshot.collected_at);
    return response;
  }

  function parseJson(response) {
    if (typeof response !== "string") return response;
    try {
      return JSON.parse(response.replace(/^\uFEFF/u, ""));
    } catch {
      throw new RefusedError("unreadable");
    }
  }

  function parseResponse(response) {
    const value = parseJson(response);
    if (!isObject(value)) throw new RefusedError("unreadable");
    if (value.status === "online") {
      return value.mode === "snapshot" ? parseSnapshot(value) : parseWindow(value);
    }
    if (Object.hasOwn(value, "error")) throw new RefusedError("error");
    if (value.status !== "offline") throw new RefusedError("unreadable");
    return { mode: "offline" };
  }

  // ---- a window as a step function of time

  // Returns pairs of instant and snapshot, ascending.  A given member replaces the old value as a
  // whole; of several events at one instant the last counts.
  function replay({ window_start: start, baseline, events }) {
    const states = new Map([[start, baseline]]);
    let state = baseline;
    for (const { at, changes } of events) {
      state = { ...state, ...changes, collected_at: at };
      states.set(at, state);
    }
    return [...states];
  }

  const WARM_UP = { reason: "warm-up" };

  // stages[0] is valid before all changes, stages[n] from changes[n - 1] on.
  function prepare(window) {
    const states = replay(window);
    const changes = [];
    const stages = [WARM_UP];
    const add = (at, stage) => {
      changes.push(at);
      stages.push(stage);
    };
    const addSegment = (start, end) => {
      if (start >= end) return;
      add(start, { snapshot: states.findLast(([at]) => at <= start)[1] });
      for (const [at, snapshot] of states) if (start < at && at < end) add(at, { snapshot });
    };
    let since = window.window_start;
    for (const gap of window.gaps) {
      addSegment(since, gap.start_at);
      add(gap.start_at, { gap });
      since = gap.end_at;
    }
    addSegment(since, window.window_end);
    add(window.window_end, { reason: "exhausted" });
    return { window, changes, stages };
  }

  // ---- accepting a response

  // The members that all views between two responses share.
  const NO_SHARED = { mode: null, start: null, end: null, lastSeen: null, lost: null };

  const isWindow = (source) => source.prepared !== undefined;

  // The newest accepted values, and the last batch_seq of each earlier session.
  const NO_WATERMARK = { updatedAt: -Infinity, sessionId: null, batchSeq: 0, windowEnd: 0, earlier: [] };

  function refusalReason(watermark, response) {
    if (response.updated_at < watermark.updatedAt) return "older";
    if (response.mode === "snapshot") return null;
    const { session_id: session, batch_seq: batch, window_end: end } = response.window;
    if (session === watermark.sessionId) {
      return batch < watermark.batchSeq || end < watermark.windowEnd ? "rewound" : null;
    }
    const last = watermark.earlier.findLast(([id]) => id === session)?.[1];
    return last === undefined || (batch > last && end > watermark.windowEnd) ? null : "older";
  }

  function advance(watermark, response) {
    if (response.mode === "snapshot") return { ...watermark, updatedAt: response.updated_at };
    const { session_id: sessionId, batch_seq: batchSeq, window_end: windowEnd } = response.window;
    const leaves = watermark.sessionId !== null && watermark.sessionId !== sessionId;
    const sessions = [...watermark.earlier, [watermark.sessionId, watermark.batchSeq]];
    const earlier = leaves ? sessions.slice(-MAX_SESSIONS) : watermark.earlier;
    return { updatedAt: response.updated_at, sessionId, batchSeq, windowEnd, earlier };
  }

  // Returns the playhead of the last window; it is kept while something else is shown.
  function pausedAt({ source, paused }, at) {
    if (!isWindow(source)) return paused;
    const { start, end, lost } = source.shared;
    const head = Math.min(at + source.offset, end);
    return { sessionId: source.prepared.window.session_id, head, start, lost };
  }

  // Returns where playback of the same session continues, and its last loss.
  function resume(paused, start, target) {
    const unplayed = Math.max(paused.head, paused.start);
    const lost = unplayed < start ? withLoss(paused.lost, unplayed, start) : paused.lost;
    return [Math.max(paused.head, Math.min(target, start)), lost];
  }

  // Adds [start, end) to a loss: losses with less than 900 s between them are merged; `missed` is
  // their total duration.
  function withLoss(previous, start, end) {
    if (previous === null || start <= previous.start || start >= previous.end + MAX_WINDOW_MS) {
      return { start, end, missed: end - start };
    }
    // A window in warm-up may contain the end of a loss again, and that may be lost again.
    return { start: previous.start, end, missed: previous.missed + end - Math.max(start, previous.end) };
  }

  function buildWindowSource(window, at, lead, paused) {
    const { window_start: start, window_end: end } = window;
    const target = lead + at - DELAY_MS;
    const continues = paused !== null && paused.sessionId === window.session_id;
    const [head, lost] = continues ? resume(paused, start, target) : [target, null];
    const shared = { mode: "window", start, end, lastSeen: end, lost };
    // The playhead is monotonic time plus the offset, until the window ends.
    return { prepared: prepare(window), since: at, lead, offset: head - at, shared };
  }

  function buildSnapshotSource({ snapshot, expires_at: end }, at, lead) {
    const shared = { ...NO_SHARED, mode: "snapshot", end, lastSeen: snapshot.collected_at };
    return { stage: { snapshot }, since: at, lead, shared };
  }

  // lead: server time minus monotonic time; latest: monotonic instant of the last accepted response;
  // source: a window source, or one with the same stage until the next response: a v1 snapshot,
  // warm-up before the first response, null after an offline one; paused: the position of the
  // last window before the source.
  const START = {
    watermark: NO_WATERMARK,
    lead: null,
    latest: null,
    source: { stage: WARM_UP, shared: NO_SHARED, since: 0, lead: null },
    paused: null,
  };

  function withOffline(state, at) {
    const { lead, source } = state;
    const shared = { ...NO_SHARED, lastSeen: source.shared.lastSeen };
    const empty = { stage: null, shared, since: at, lead };
    return { ...state, latest: at, source: empty, paused: pausedAt(state, at) };
  }

  function withResponse(state, response, monotonicMs) {
    const at = state.latest === null ? monotonicMs : Math.max(monotonicMs, state.latest);
    if (response.mode === "offline") return withOffline(state, at);
    const reason = refusalReason(state.watermark, response);
    if (reason !== null) throw new RefusedError(reason);
    const measured = response.server_time - at;
    const lead = state.lead === null ? measured : Math.max(measured, state.lead);
    const watermark = advance(state.watermark, response);
    const paused = pausedAt(state, at);
    const source = response.mode === "snapshot"
      ? buildSnapshotSource(response, at, lead)
      : buildWindowSource(response.window, at, lead, paused);
    return { watermark, lead, latest: at, source, paused };
  }

  // Accepts the text of a response, or its value, that arrived at an instant of the monotonic clock.
  // Returns the new state and {accepted: mode}, or the same state and {refused: reason}.
  function accept(state, given, monotonicMs) {
    try {
      const response = parseResponse(given);
      return [withResponse(state, response, monotonicMs), { accepted: response.mode }];
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      return [state, { refused: error.message }];
    }
  }

  // ---- viewing

  function stateOf(stage) {
    if (stage === null) return "offline";
    if (stage.snapshot !== undefined) return "playing";
    return stage.gap === undefined ? "buffering" : "gap";
  }

  // Durations are in seconds, exact to the millisecond; null where they do not apply.
  function viewOf(stage, shared, serverTime = null, head = null, nextChangeAt = null) {
    const { mode, start, end, lastSeen, lost } = shared;
    const warmUpSeconds = head !== null && head < start ? (start - head) / 1_000 : null;
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
      bufferedSeconds: end === null ? null : Math.max(0, end - Math.max(start ?? serverTime, head ?? serverTime)) / 1_000,
      warmUpSeconds,
      lost,
      nextChangeAt,
      lastSeen,
    };
  }

  const reasonOf = (stage) => stage?.gap?.reason ?? stage?.reason ?? null;

  function viewOfWindow({ prepared, since, lead, offset, shared }, monotonicMs) {
    const { changes, stages } = prepared;
    const at = Math.max(monotonicMs, since);
    let position = changes.findLastIndex((each) => each <= at + offset) + 1;
    const stage = stages[position];
    if (position === changes.length) return viewOf(stage, shared, at + lead, shared.end);
    if (stage.snapshot === undefined) {
      // Adjacent gaps with one reason look the same, so the next change is at the end of the last.
      while (reasonOf(stage) === reasonOf(stages[position + 1])) position += 1;
    }
    return viewOf(stage, shared, at + lead, at + offset, changes[position] - offset);
  }

  // Returns the view at an instant of the monotonic clock; an instant before the last accepted
  // response counts as the instant of that response.
  function view({ source }, monotonicMs) {
    if (isWindow(source)) return viewOfWindow(source, monotonicMs);
    const { stage, since, lead, shared } = source;
    return viewOf(stage, shared, lead === null ? null : lead + Math.max(monotonicMs, since));
  }

  // Returns the current window as intervals between changes, [{start, end, snapshot or gap}], in
  // order; empty without a window.
  function intervals({ source }) {
    if (!isWindow(source)) return [];
    const { changes, stages } = source.prepared;
    return changes.slice(1).map((end, n) => ({ start: changes[n], end, ...stages[n + 1] }));
  }

  // Returns the last state of the current window, or null.
  const remaining = ({ source }) => source.prepared?.stages.at(-2).snapshot ?? null;

  return { START, accept, view, intervals, remaining };
})();

if (typeof module === "object") module.exports = player;

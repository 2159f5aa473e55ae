"use strict";
// What readers see of a session at each server time, and why.
//
// The status is that of devicestatus.engine.explanation for the window that arrived last; windows
// are parsed and played by player.js.  All functions are pure; tests compare them with the Python
// engine.  Instants are ms since the epoch.
//
//   const session = travel.prepare({ reads, delayMs, isHeld });
//   const seen = travel.look(session, now);
const travel = (() => {
  // The last of some items whose instant, in the list beside them, is at or before one; or null.
  const lastUntil = (items, instants, at) => items[player.countUntil(instants, at) - 1] ?? null;

  // A window as a step function: stages[0] before all changes, stages[n] from changes[n - 1] on.
  function buildRecord(at, body, number) {
    const [state, outcome] = player.accept(player.START, body, at);
    if (outcome.accepted !== "window") throw new Error(`the window is ${outcome.refused}`);
    const { window, changes, stages } = player.prepared(state);
    const { window_start: start, window_end: end, batch_seq: batch } = window;
    return { since: at, number, start, end, batch, changes, stages };
  }

  // reads: [{at, body}], the responses of /api/timeline from the instants at which they change;
  // delayMs: how far playback is behind; isHeld: whether the service has the one window all the time.
  function prepare({ reads, delayMs, isHeld }) {
    const records = [];
    const readers = [];
    let state = player.START;
    for (const { at, body } of reads) {
      if (body.window !== undefined) {
        const record = buildRecord(at, body, records.length);
        records.push(isHeld ? { ...record, since: -Infinity } : record);
      }
      state = player.accept(state, body, at)[0];
      if (!isHeld) readers.push({ at, state });
    }
    const arrivals = records.map(({ since }) => since);
    return { records, arrivals, readers, readAt: readers.map(({ at }) => at), delayMs };
  }

  // Two stages show the same if both have no snapshot, or one of the same instant.
  const shownBy = (stage) => stage.snapshot?.collected_at ?? null;

  function nextChange({ changes, stages }, position) {
    const current = shownBy(stages[position]);
    for (let next = position; next < changes.length; next += 1) {
      if (shownBy(stages[next + 1]) !== current) return changes[next];
    }
    return null;
  }

  const NO_RECORD = {
    online: false, reason: "no-record", gap: null, deadline: null, nextChangeAt: null, snapshot: null,
  };

  function explain(record, now, delayMs) {
    if (record === null) return NO_RECORD;
    const position = player.countUntil(record.changes, now - delayMs);
    const stage = record.stages[position];
    const change = nextChange(record, position);
    const gap = stage.gap ?? null;
    const online = stage.snapshot !== undefined;
    return {
      online,
      reason: online ? null : gap === null ? stage.reason : "gap",
      gap,
      deadline: record.end + delayMs,
      nextChangeAt: change === null ? null : change + delayMs,
      snapshot: stage.snapshot ?? null,
    };
  }

  // Returns the status at a server time, its reason, the latest upload and the view of a page that
  // has played all responses so far; null where there is none.
  function look({ records, arrivals, readers, readAt, delayMs }, now) {
    const record = lastUntil(records, arrivals, now);
    const reader = lastUntil(readers, readAt, now);
    return {
      ...explain(record, now, delayMs),
      at: now - delayMs,
      upload: record?.number ?? null,
      page: reader === null ? null : player.view(reader.state, now),
    };
  }

  // Returns the spans of server time in which the status is the same: [{start, end, kind}], where
  // kind is online, or why it is not.
  function spans(session, start, end) {
    const edges = [start];
    session.records.forEach(({ since, changes }, number) => {
      const until = session.records[number + 1]?.since ?? end;
      edges.push(since, ...changes.map((at) => at + session.delayMs).filter((at) => at > since && at < until));
    });
    const inside = edges.filter((at) => at >= start && at < end);
    const found = [];
    for (const at of inside) {
      const { reason } = look(session, at);
      const kind = reason ?? "online";
      const last = found.at(-1);
      if (last !== undefined && last.kind === kind) continue;
      if (last !== undefined) last.end = at;
      found.push({ start: at, end, kind });
    }
    return found;
  }

  // Returns the first instant after one at which the status or the state changes, or null.
  function changeAfter(session, now) {
    const { nextChangeAt } = look(session, now);
    const arrival = session.arrivals[player.countUntil(session.arrivals, now)] ?? null;
    const instants = [nextChangeAt, arrival].filter((at) => at !== null);
    return instants.length === 0 ? null : Math.min(...instants);
  }

  // Returns the last instant before one at which the status or the state changed, or null.
  function changeBefore(session, now) {
    const { records, arrivals, delayMs } = session;
    const latest = lastUntil(records, arrivals, now - 1);
    if (latest === null) return null;
    const position = player.countUntil(latest.changes, now - 1 - delayMs);
    const change = position === 0 ? -Infinity : latest.changes[position - 1] + delayMs;
    const at = Math.max(change, latest.since);
    return at === -Infinity ? null : at;
  }

  // ---- words

  // At most 100,000, with all decimals: one comma.
  const number = (value) => (value === null ? "unknown" : String(value).replace(/^(\d+)(\d{3})(?!\d)/u, "$1,$2"));

  function describeMusic({ state, track, artist }) {
    const title = [track, artist].filter((text) => text !== null && text !== "").join(" — ");
    return title === "" ? state : `${state}: ${title}`;
  }

  // Returns the members of a snapshot by their names in words, as `snapshot_fields` does.
  function fields({ active_app: app, running_apps: running, battery, system, music }, words) {
    const percent = battery.percent === null ? "charge unknown" : `${battery.percent} %`;
    const charging = words.charging[String(battery.charging)];
    return {
      "foreground app": app ?? "unknown",
      running: running === undefined ? "not reported" : running.join(", ") || "no apps",
      battery: `${percent}, ${charging}, ${words.power[battery.power_source]}`,
      load: [system.load_1m, system.load_5m, system.load_15m].map(number).join(" "),
      music: describeMusic(music),
    };
  }

  return { prepare, look, spans, changeAfter, changeBefore, fields };
})();

if (typeof module === "object") module.exports = travel;

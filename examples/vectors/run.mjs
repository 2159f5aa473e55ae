// Runs vectors of device status with the standard library alone: parsing, deadlines, projection.
// The rules are written once more here, so that a vector is right in two languages or in none.
//
//     devicestatus vectors -o vectors && node run.mjs vectors
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

// Parsing: the shape of a body, then the relations between its members.

const LAST = Date.parse("9999-12-31T23:59:59.999Z");
const COUNT = Number.MAX_SAFE_INTEGER;
const instant = (text) => Date.parse(text);
const isText = (min, max) => (value) =>
  typeof value === "string" && value.isWellFormed() && !/[\x00-\x1f\x7f]/.test(value) &&
  [...value].length >= min && [...value].length <= max;
const isNumber = (min, max) => (value) =>
  typeof value === "number" && value >= min && value <= max;
const isInteger = (min, max) => (value) => Number.isInteger(value) && value >= min && value <= max;
const isOneOf = (...choices) => (value) => choices.includes(value);
const isNullOr = (check) => (value) => value === null || check(value);
const isList = (item, max) => (value) =>
  Array.isArray(value) && value.length <= max && value.every(item);
const isObject = (required, optional = {}) => (value) =>
  typeof value === "object" && value !== null && !Array.isArray(value) &&
  Object.keys(required).every((name) => Object.hasOwn(value, name)) &&
  Object.entries(value).every(([name, member]) => {
    const members = Object.hasOwn(required, name) ? required : optional;
    return Object.hasOwn(members, name) && members[name](member);
  });
const isTime = (fraction) => (value) => {
  if (typeof value !== "string" || !fraction.test(value) || value.startsWith("0000")) return false;
  const [, seconds, digits = ""] = /^(.{19})\.?(\d*)Z$/.exec(value);
  const text = `${seconds}.${digits.padEnd(3, "0")}Z`;
  return !Number.isNaN(instant(text)) && new Date(instant(text)).toISOString() === text;
};
const isMillisecond = isTime(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const isUtc = isTime(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/);
const isUrl = (hasHost) => (value) => {
  if (!isText(0, 2048)(value) || value !== value.trim() || !URL.canParse(value)) return false;
  const url = new URL(value);
  return url.protocol === "https:" && !url.username && !url.password && !url.port &&
    hasHost(url.hostname);
};

const isApps = (value) => isList(isText(1, 200), 64)(value) && new Set(value).size === value.length;
const isMusic = (value) => {
  const isShaped = isObject(
    {
      state: isOneOf("playing", "paused", "stopped", "unavailable"),
      track: isNullOr(isText(1, 500)),
      artist: isNullOr(isText(1, 500)),
    },
    {
      artwork_url: isNullOr(isUrl((host) => /[^.]\.mzstatic\.com$/.test(host) && !/^\.|\.\./.test(host))),
      track_url: isNullOr(isUrl(isOneOf("music.apple.com", "itunes.apple.com"))),
    },
  );
  if (!isShaped(value) || typeof value.artwork_url !== typeof value.track_url) return false;
  const { state, track, artist, artwork_url: url } = value;
  return typeof url !== "string" ||
    (["playing", "paused"].includes(state) && Boolean(track?.trim()) && Boolean(artist?.trim()));
};
const load = isNullOr(isNumber(0, 100_000));
const changeable = {
  active_app: isNullOr(isText(1, 200)),
  battery: isObject({
    percent: isNullOr(isNumber(0, 100)),
    charging: isNullOr((value) => typeof value === "boolean"),
    power_source: isOneOf("ac", "battery", "unknown"),
  }),
  system: isObject({ load_1m: load, load_5m: load, load_15m: load }),
  music: isMusic,
};
const isSnapshot = (isCollected) =>
  isObject({ schema_version: isOneOf(1), collected_at: isCollected, ...changeable }, { running_apps: isApps });
const isEvent = isObject({
  seq: isInteger(1, COUNT),
  at: isMillisecond,
  changes: (value) =>
    isObject({}, { ...changeable, running_apps: isApps })(value) && Object.keys(value).length > 0,
});
const isGap = isObject({
  start_at: isMillisecond,
  end_at: isMillisecond,
  reason: isOneOf("sleep", "restart", "collection", "overflow", "clock"),
});
const isWindow = isObject({
  schema_version: isOneOf(2),
  session_id: (value) => typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
  batch_seq: isInteger(1, COUNT),
  generated_at: isMillisecond,
  window_start: isMillisecond,
  window_end: isMillisecond,
  baseline: isSnapshot(isMillisecond),
  events: isList(isEvent, 2048),
  gaps: isList(isGap, 128),
  dropped_events: isInteger(0, COUNT),
});
const isNear = (time, receivedAt) => Math.abs(instant(time) - receivedAt) <= 120_000;
const isRelated = (window, receivedAt) => {
  const { window_start: start, window_end: end, events, gaps } = window;
  const isInside = (time) => start <= time && time <= end; // one width: text sorts as time does
  const lag = instant(window.generated_at) - instant(end);
  return start <= end && instant(end) - instant(start) <= 900_000 && lag >= 0 && lag <= 30_000 &&
    isNear(window.generated_at, receivedAt) && window.baseline.collected_at === start &&
    events.every(({ seq, at }, n) =>
      isInside(at) && (n === 0 || (events[n - 1].seq < seq && events[n - 1].at <= at))) &&
    gaps.every(({ start_at, end_at }, n) =>
      start_at < end_at && isInside(start_at) && isInside(end_at) &&
      (n === 0 || gaps[n - 1].end_at <= start_at));
};

function bytesOf(parts) {
  return Buffer.concat(parts.map((part) => {
    if (typeof part === "string") return Buffer.from(part);
    if ("base64" in part) return Buffer.from(part.base64, "base64");
    const copies = Array.from({ length: part.times }, (_, n) => part.repeat.replaceAll("#", n + 1));
    return Buffer.from(copies.join(part.join ?? ""));
  }));
}

function parsing({ endpoint, received_at: receivedAt, body }) {
  const [isSnapshotBody, bytes] = [endpoint === "/api/update", bytesOf(body)];
  if (bytes.length > (isSnapshotBody ? 16_384 : 524_288)) return { error: "payload_too_large" };
  let value;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    return { error: "invalid_json" };
  }
  const isValid = isSnapshotBody
    ? isSnapshot(isUtc)(value) && isNear(value.collected_at, receivedAt)
    : isWindow(value) && isRelated(value, receivedAt);
  if (!isValid) return { error: "invalid_payload" };
  if (isSnapshotBody) value.collected_at = new Date(instant(value.collected_at)).toISOString();
  return { value: JSON.parse(JSON.stringify(value)) }; // minus zero is written as 0
}

// Deadlines and projection

function deadlines(given) {
  const { kind, received_at: receivedAt, stored_expires_at: stored } = given;
  const lifetime = 1000 * given.ttl_seconds;
  const deadline = {
    snapshot: Math.min(stored ?? receivedAt + 60_000, receivedAt + lifetime),
    projection: given.window_end + 420_000,
    record: given.window_end + 600_000,
  }[kind];
  const shown = new Date(Math.min(deadline, LAST)).toISOString();
  return { deadline, expires_at: shown, expired: given.now >= deadline };
}

function projection({ window, now }) {
  return { states: now.map((time) => stateAt(window, time - 420_000)) };
}

function stateAt({ baseline, events, gaps, ...window }, at) {
  if (at < instant(window.window_start)) return { online: false, reason: "warm-up" };
  if (at >= instant(window.window_end)) return { online: false, reason: "exhausted" };
  const gap = gaps.find(({ start_at, end_at }) => instant(start_at) <= at && at < instant(end_at));
  if (gap) return { online: false, reason: "gap", gap };
  const applied = events.filter((event) => instant(event.at) <= at);
  const changes = applied.map((event) => ({ ...event.changes, collected_at: event.at }));
  return { online: true, state: Object.assign({}, baseline, ...changes) };
}

// Compare

function isExpected(topic, found, { expected, also = [] }) {
  if (topic !== "parsing") return isDeepStrictEqual(found, expected);
  if (found.error) return !expected.valid && [expected.error, ...also].includes(found.error);
  return expected.valid && (!expected.value || isDeepStrictEqual(found.value, expected.value));
}

for (const [topic, run] of Object.entries({ parsing, deadlines, projection })) {
  const path = join(process.argv[2] ?? "vectors", "devicestatus", `${topic}.json`);
  const { count, cases } = JSON.parse(readFileSync(path, "utf8"));
  const failed = cases.filter((each) => !isExpected(topic, run(each.input), each));
  for (const { id } of failed) console.log(`${topic}/${id}: differs`);
  console.log(`${topic}: ${cases.length - failed.length} of ${count}`);
  if (failed.length > 0 || cases.length !== count) process.exitCode = 1;
}

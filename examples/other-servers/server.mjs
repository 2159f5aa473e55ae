// A device-status server in plain Node, without packages and without code of this project.
//
//     INGEST_TOKEN=... node server.mjs 8000
//     devicestatus conformance http://127.0.0.1:8000 --write
//
// The record is kept in memory.  See README.md beside this file for what it leaves out.

import { createHash, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const SETTINGS = process.env;
const SERVICE = SETTINGS.SERVICE_NAME ?? "device-status";
const POLICY = {
  upload_interval_seconds: 300,
  window_seconds: 900,
  playback_delay_seconds: 420,
  poll_interval_seconds: 60,
  sample_interval_seconds: 2,
  metrics_interval_seconds: 30,
};

// Reading a body: a rule returns the value to keep, or throws Invalid.

class Invalid extends Error {}

class Refused extends Error {
  constructor(status, code) {
    super(code);
    this.status = status;
  }
}

const unavailable = () => new Refused(503, "service_unavailable");

function require(condition) {
  if (!condition) throw new Invalid();
}

function record(required, optional = {}) {
  const rules = new Map(Object.entries({ ...required, ...optional }));
  return (value) => {
    require(value !== null && typeof value === "object" && !Array.isArray(value));
    require(Object.keys(required).every((name) => Object.hasOwn(value, name)));
    require(Object.keys(value).every((name) => rules.has(name)));
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, rules.get(name)(item)]),
    );
  };
}

const number = (low, high) => (value) => {
  require(typeof value === "number" && low <= value && value <= high);
  return value === 0 ? 0 : value; // not -0
};

const integer = (low, high) => (value) => {
  require(Number.isInteger(value));
  return number(low, high)(value);
};

const oneOf = (...values) => (value) => {
  require(values.includes(value));
  return value;
};

const nullable = (rule) => (value) => (value === null ? null : rule(value));

const array = (rule, most) => (value) => {
  require(Array.isArray(value) && value.length <= most);
  return value.map(rule);
};

const matching = (pattern) => (value) => {
  require(typeof value === "string" && pattern.test(value));
  return value;
};

// Lengths count code points; text holds no ASCII control characters and no lone surrogates.
const text = (longest) => (value) => {
  require(typeof value === "string" && value.isWellFormed());
  require(value !== "" && [...value].length <= longest && !/[\x00-\x1f\x7f]/.test(value));
  return value;
};

// Timestamps are kept with three digits, so that they are in order exactly when their texts are.
const timestamp = (pattern) => (value) => {
  const match = typeof value === "string" ? pattern.exec(value) : null;
  require(match !== null);
  const kept = `${match[1]}.${(match[2] ?? "").padEnd(3, "0")}Z`;
  const time = Date.parse(kept);
  // Date.parse accepts February 30 and 24:00.
  require(!match[1].startsWith("0000") && Number.isFinite(time) && instant(time) === kept);
  return kept;
};

const instant = (ms) => new Date(ms).toISOString();
const milliseconds = (time) => Date.parse(time);

function catalogUrl(value, isHost) {
  require(value === value.trim());
  let url;
  try {
    url = new URL(value);
  } catch {
    throw new Invalid();
  }
  require(url.protocol === "https:" && url.username === "" && url.password === "");
  require(url.port === "" && !url.hostname.split(".").includes("") && isHost(url.hostname));
}

function music(value) {
  const kept = MUSIC(value);
  const { artwork_url: artwork, track_url: track } = kept;
  require((artwork === undefined) === (track === undefined));
  require((artwork === null) === (track === null));
  if (typeof artwork === "string") {
    require(["playing", "paused"].includes(kept.state));
    require((kept.track ?? "").trim() !== "" && (kept.artist ?? "").trim() !== "");
    const domain = `.${SETTINGS.CATALOG_ARTWORK_DOMAIN ?? "mzstatic.com"}`;
    const hosts = SETTINGS.CATALOG_TRACK_HOSTS ?? "music.apple.com,itunes.apple.com";
    catalogUrl(artwork, (host) => host.endsWith(domain));
    catalogUrl(track, (host) => hosts.split(",").includes(host));
  }
  return kept;
}

function runningApps(value) {
  const names = array(text(200), 64)(value);
  require(new Set(names).size === names.length);
  return names;
}

function changes(value) {
  const kept = record({}, { ...PARTS, ...OPTIONAL_PARTS })(value);
  require(Object.keys(kept).length > 0);
  return kept;
}

const LOAD = nullable(number(0, 100_000));
const MUSIC = record(
  {
    state: oneOf("playing", "paused", "stopped", "unavailable"),
    track: nullable(text(500)),
    artist: nullable(text(500)),
  },
  { artwork_url: nullable(text(2048)), track_url: nullable(text(2048)) },
);
const PARTS = {
  active_app: nullable(text(200)),
  battery: record({
    percent: nullable(number(0, 100)),
    charging: nullable(oneOf(true, false)),
    power_source: oneOf("ac", "battery", "unknown"),
  }),
  system: record({ load_1m: LOAD, load_5m: LOAD, load_15m: LOAD }),
  music,
};
const OPTIONAL_PARTS = { running_apps: runningApps };
const SECONDS = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d`;
const UTC = timestamp(new RegExp(String.raw`^(${SECONDS})(?:\.(\d{1,3}))?Z$`));
const MILLISECOND = timestamp(new RegExp(String.raw`^(${SECONDS})\.(\d{3})Z$`));
const SEQUENCE = integer(1, Number.MAX_SAFE_INTEGER);

const snapshotRule = (collectedAt) =>
  record({ schema_version: integer(1, 1), collected_at: collectedAt, ...PARTS }, OPTIONAL_PARTS);

const SNAPSHOT = snapshotRule(UTC);
const WINDOW = record({
  schema_version: integer(2, 2),
  session_id: matching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  batch_seq: SEQUENCE,
  generated_at: MILLISECOND,
  window_start: MILLISECOND,
  window_end: MILLISECOND,
  baseline: snapshotRule(MILLISECOND),
  events: array(record({ seq: SEQUENCE, at: MILLISECOND, changes }), 2048),
  gaps: array(
    record({
      start_at: MILLISECOND,
      end_at: MILLISECOND,
      reason: oneOf("sleep", "restart", "collection", "overflow", "clock"),
    }),
    128,
  ),
  dropped_events: integer(0, Number.MAX_SAFE_INTEGER),
});

function parseSnapshot(value, now) {
  const data = SNAPSHOT(value);
  require(Math.abs(milliseconds(data.collected_at) - now) <= 120_000);
  return { data, received_at: now, expires_at: now + lifetimeSeconds() * 1000 };
}

function parseWindow(value, now) {
  const data = WINDOW(value);
  const [start, end, made] = [data.window_start, data.window_end, data.generated_at];
  require(start <= end && milliseconds(end) - milliseconds(start) <= 900_000);
  require(end <= made && milliseconds(made) - milliseconds(end) <= 30_000);
  require(Math.abs(milliseconds(made) - now) <= 120_000);
  require(data.baseline.collected_at === start);
  data.events.forEach((event, index) => {
    const before = data.events[index - 1] ?? { seq: 0, at: start };
    require(before.seq < event.seq && before.at <= event.at && event.at <= end);
  });
  data.gaps.forEach((gap, index) => {
    const before = data.gaps[index - 1] ?? { end_at: start };
    require(before.end_at <= gap.start_at && gap.start_at < gap.end_at && gap.end_at <= end);
  });
  return { data, received_at: now, expires_at: milliseconds(end) + 600_000 };
}

function parseJson(body) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refused(400, "invalid_json");
  }
}

// What readers see

let stored = null;

function statusAt(now) {
  if (stored === null || now >= stored.expires_at) return null;
  const { data, expires_at } = stored;
  if (data.schema_version === 1) return { snapshot: data, expires_at, extra: {} };
  const [at, end] = [instant(now - 420_000), data.window_end];
  const inGap = data.gaps.some((gap) => gap.start_at <= at && at < gap.end_at);
  if (inGap || at < data.window_start || at >= end) return null;
  const applied = data.events.filter((event) => event.at <= at);
  const snapshot = Object.assign({}, data.baseline, ...applied.map((event) => event.changes));
  snapshot.collected_at = applied.at(-1)?.at ?? data.window_start;
  const playback = { mode: "delayed", delay_seconds: 420, at, window_end: end };
  return { snapshot, expires_at: milliseconds(end) + 420_000, extra: { playback } };
}

const envelope = (status) => ({
  status: "online",
  updated_at: instant(stored.received_at),
  expires_at: instant(status.expires_at),
  ...status.extra,
});

const category = (data) => (status) => ({
  ...envelope(status),
  collected_at: status.snapshot.collected_at,
  ...data(status.snapshot),
});

function appWithIcon(name) {
  if (name === null) return null;
  const wanted = sameName(name);
  const known = ({ app, aliases }) => [app, ...aliases].some((each) => sameName(each) === wanted);
  const found = wanted === "system" ? undefined : MANIFEST.icons.find(known);
  return {
    name,
    icon_url: found ? `/app-icons/${found.id}.png` : null,
    icon_api_url: found ? `/api/icons/${found.id}.png` : null,
  };
}

const sameName = (name) => name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();

function timeline(now) {
  if (stored === null || now >= stored.expires_at) return { status: "offline" };
  const { data } = stored;
  const times = {
    status: "online",
    server_time: instant(now),
    updated_at: instant(stored.received_at),
    expires_at: instant(stored.expires_at),
  };
  return data.schema_version === 1
    ? { ...data, ...times, mode: "snapshot" }
    : { ...times, mode: "window", policy: POLICY, window: data };
}

const BODIES = {
  "/api/now": (status) => ({ ...status.snapshot, ...envelope(status) }),
  "/api/music": category(({ music: song }) => ({
    music: { artwork_url: null, track_url: null, ...song },
  })),
  "/api/apps/active": category((seen) => ({ active_app: appWithIcon(seen.active_app) })),
  "/api/apps/running": category((seen) => ({
    running_apps: seen.running_apps?.map(appWithIcon) ?? null,
  })),
  "/api/device": category(({ battery, system }) => ({ device: { battery, system } })),
};

function badge(status) {
  const characters = [...badgeText(status)];
  const shown = characters.length > 64 ? [...characters.slice(0, 61), "…"] : characters;
  const right = shown.map((each) => (/[\ufffe\uffff]/.test(each) ? "\ufffd" : each)).join("");
  const [first, second] = [width(SERVICE), width(right)];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20" role="img" \
aria-label="${escape(`${SERVICE}: ${right}`)}"><rect width="${first}" height="20" fill="#333"/>\
<rect x="${first}" width="${second}" height="20" fill="${status ? "#1f684e" : "#555"}"/>\
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">\
<text x="10" y="14">${escape(SERVICE)}</text>\
<text x="${first + 10}" y="14">${escape(right)}</text></g></svg>`;
}

function badgeText(status) {
  if (status === null) return "offline";
  const { active_app: app, music: song } = status.snapshot;
  if (song.state === "playing" && song.track !== null)
    return `♫ ${song.track}${song.artist === null ? "" : ` — ${song.artist}`}`;
  return app === "System" ? "Private app" : (app ?? "online");
}

// About how many pixels a text takes with its margins.
function width(content) {
  const wide = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]|[\u{20000}-\u{3fffd}]/u;
  const sizes = [...content].map((each) =>
    /[\p{Mn}\p{Me}\p{Cf}]/u.test(each) ? 0 : wide.test(each) ? 12 : 7,
  );
  return sizes.reduce((sum, size) => sum + size, 20);
}

const escape = (content) => content.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

// Icons and settings

const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR42mPQCFhAEmIY1TCqYfhqAABkJBgQlBRgAgAAAABJRU5E" +
    "rkJggg==",
  "base64",
);
const MANIFEST = {
  version: 1,
  icons: [
    {
      id: "editor",
      app: "Editor",
      aliases: ["Editor", "Text Editor"],
      imageUrl: "/api/icons/editor.png",
      source: "installed-app",
      credit: "Drawn for this example",
      sourceUrl: null,
      sha256: createHash("sha256").update(PNG).digest("hex"),
    },
  ],
};
const JSON_TYPE = "application/json; charset=utf-8";
const ASSETS = new Map([
  ["index.json", [Buffer.from(JSON.stringify(MANIFEST)), JSON_TYPE]],
  ["editor.png", [PNG, "image/png"]],
]);
const STARTED = Math.floor(Date.now() / 1000) * 1000;

function lifetimeSeconds() {
  const policy = SETTINGS.STATUS_TTL_SECONDS ?? "60";
  const seconds = { eco: "180", realtime: "60" }[policy] ?? policy;
  if (!/^[1-9]\d{1,3}$/.test(seconds) || seconds < 60 || seconds > 3600) throw unavailable();
  return Number(seconds);
}

// HTTP

const NO_STORE = {
  "Cache-Control": "no-store, max-age=0",
  "CDN-Cache-Control": "no-store",
  "Cloudflare-CDN-Cache-Control": "no-store",
};
const CORS = {
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type",
};
const ICON_CORS = {
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
  "Access-Control-Expose-Headers": "ETag, Last-Modified",
};
const COMMON = {
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};
const LEGACY = ["/update", "/now", "/badge.svg", "/health"];
const WRITES = { "/api/update": [16_384, parseSnapshot], "/api/batch": [524_288, parseWindow] };
const PAGES = ["/", "/api"];
const READS = ["/api/timeline", "/api/badge.svg", "/api/health", ...Object.keys(BODIES), ...PAGES];

const jsonResponse = (value, status = 200, headers = {}) => ({
  status,
  body: JSON.stringify(value),
  headers: { "Content-Type": JSON_TYPE, ...NO_STORE, ...headers },
});

// Returns the values of all lines of a header.
const lines = (request, name) =>
  request.rawHeaders.filter(
    (_, index) => index % 2 === 1 && request.rawHeaders[index - 1].toLowerCase() === name,
  );

async function readBody(request, limit) {
  const types = lines(request, "content-type");
  const mediaType = types.length === 1 ? types[0].split(";")[0].trim().toLowerCase() : "";
  if (mediaType !== "application/json") throw new Refused(415, "unsupported_media_type");
  const tooLarge = new Refused(413, "payload_too_large");
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge;
  const coding = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (!["", "identity"].includes(coding)) throw new Refused(415, "unsupported_media_type");
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > limit) throw tooLarge;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function write(request, [limit, parse]) {
  const token = SETTINGS.INGEST_TOKEN ?? "";
  const length = [...token].length;
  if (length < 32 || length > 1024 || /\s/.test(token)) throw unavailable();
  const given = lines(request, "authorization").map((line) => Buffer.from(line, "latin1"));
  const wanted = Buffer.from(`Bearer ${token}`);
  if (given.length !== 1 || given[0].length !== wanted.length || !timingSafeEqual(given[0], wanted))
    throw new Refused(401, "unauthorized");
  const body = await readBody(request, limit);
  try {
    stored = parse(parseJson(body), Date.now());
  } catch (error) {
    throw error instanceof Invalid ? new Refused(400, "invalid_payload") : error;
  }
  const { received_at, expires_at } = stored;
  return jsonResponse({ ok: true, updated_at: instant(received_at), expires_at: instant(expires_at) });
}

function asset(request, name, cors) {
  if (!ASSETS.has(name)) throw new Refused(404, "not_found");
  const [body, type] = ASSETS.get(name);
  const tag = `"${createHash("sha256").update(body).digest("hex").slice(0, 16)}"`;
  const headers = {
    "Cache-Control": "public, max-age=3600",
    ETag: tag,
    "Last-Modified": new Date(STARTED).toUTCString(),
    ...cors,
  };
  const tags = request.headers["if-none-match"];
  const unchanged =
    tags === undefined
      ? STARTED <= Date.parse(request.headers["if-modified-since"] ?? "")
      : tags.trim() === "*" || (tags.match(/"[^"]*"/g) ?? []).includes(tag);
  if (unchanged) return { status: 304, body: "", headers };
  return { status: 200, body, headers: { "Content-Type": type, ...headers } };
}

async function answer(request, path, isIcon) {
  const { method } = request;
  const isStatic = path.startsWith("/app-icons/");
  if (!isIcon && !isStatic && !Object.hasOwn(WRITES, path) && !READS.includes(path))
    throw new Refused(404, "not_found");
  if (method === "OPTIONS")
    return { status: 204, body: "", headers: { ...NO_STORE, ...(isIcon ? ICON_CORS : CORS) } };
  if (!allowed(path, isIcon).split(", ").includes(method))
    throw new Refused(405, "method_not_allowed");
  if (isStatic) return asset(request, path.slice("/app-icons/".length), {});
  if (isIcon) return asset(request, path.slice("/api/icons/".length) || "index.json", ICON_CORS);
  if (PAGES.includes(path)) {
    const headers = { "Content-Type": "text/html; charset=utf-8", ...NO_STORE };
    return { status: 200, body: `<!doctype html><title>${escape(SERVICE)}</title>`, headers };
  }
  if (path === "/api/health") return jsonResponse({ ok: true, service: SERVICE });
  lifetimeSeconds();
  if (Object.hasOwn(WRITES, path)) return write(request, WRITES[path]);
  const now = Date.now();
  if (path === "/api/timeline") return jsonResponse(timeline(now));
  const status = statusAt(now);
  if (path === "/api/badge.svg") {
    const headers = {
      "Content-Type": "image/svg+xml; charset=utf-8",
      "Content-Security-Policy": "default-src 'none'; style-src 'none'; sandbox",
      ...NO_STORE,
    };
    return { status: 200, body: badge(status), headers };
  }
  return jsonResponse(status === null ? { status: "offline" } : BODIES[path](status));
}

function allowed(path, isIcon) {
  if (isIcon || path.startsWith("/app-icons/")) return "GET, HEAD, OPTIONS";
  return Object.hasOwn(WRITES, path) ? "POST, OPTIONS" : "GET, OPTIONS";
}

async function respond(request, response) {
  let path = request.url.split("?")[0];
  if (LEGACY.includes(path)) path = `/api${path}`;
  const isIcon = /^\/api\/icons(?:\/[a-z0-9]+(?:-[a-z0-9]+)*\.png)?$/.test(path);
  let result;
  try {
    result = await answer(request, path, isIcon);
  } catch (error) {
    if (!(error instanceof Refused)) console.error(error);
    const { status, message } = error instanceof Refused ? error : unavailable();
    const extra = isIcon ? { ...ICON_CORS } : {};
    if (status === 401) extra["WWW-Authenticate"] = "Bearer";
    if (status === 405) extra.Allow = allowed(path, isIcon);
    result = jsonResponse({ error: message }, status, extra);
  }
  const { status, body, headers } = result;
  const length = [204, 304].includes(status) ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...COMMON, ...headers, ...length });
  response.end(request.method === "HEAD" ? undefined : body);
}

const server = createServer(respond);
server.listen(Number(process.argv[2]), "127.0.0.1");

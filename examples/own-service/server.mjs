// server.mjs
import { createServer } from "node:http";

const COMMON = {
  "Access-Control-Allow-Origin": "*",
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
};
const NO_STORE = {
  "Cache-Control": "no-store, max-age=0",
  "CDN-Cache-Control": "no-store",
  "Cloudflare-CDN-Cache-Control": "no-store",
};
const PREFLIGHT = {
  "Access-Control-Allow-Methods": "GET, POST, OPTIONS",
  "Access-Control-Allow-Headers": "Authorization, Content-Type",
};
const ICON_PATH = /^\/api\/icons(?:\/[a-z0-9]+(?:-[a-z0-9]+)*\.png)?$/;
const ICON_CORS = {
  "Access-Control-Allow-Methods": "GET, HEAD, OPTIONS",
  "Access-Control-Allow-Headers": "If-None-Match, If-Modified-Since",
  "Access-Control-Expose-Headers": "ETag, Last-Modified",
};

// A path to its methods; a method to a function that returns status, headers and body.
const routes = new Map();

class Refused extends Error {
  constructor(status, code, headers = {}) {
    super(code);
    Object.assign(this, { status, code, headers });
  }
}

function json(value, status = 200, headers = {}) {
  const type = { "Content-Type": "application/json; charset=utf-8" };
  const body = JSON.stringify(value);
  return { status, headers: { ...NO_STORE, ...type, ...headers }, body };
}

async function respond(request, path, cors) {
  const methods = routes.get(path);
  if (methods === undefined) throw new Refused(404, "not_found");
  if (request.method === "OPTIONS")
    return { status: 204, headers: { ...NO_STORE, ...PREFLIGHT, ...cors }, body: "" };
  const respondTo = methods[request.method];
  if (respondTo === undefined) {
    const allowed = [...Object.keys(methods), "OPTIONS"].join(", ");
    throw new Refused(405, "method_not_allowed", { Allow: allowed });
  }
  return respondTo(request);
}

async function serve(request, response) {
  const path = request.url.split("?")[0];
  const isIcon = ICON_PATH.test(path);
  const cors = isIcon ? ICON_CORS : {};
  let result;
  try {
    result = await respond(request, isIcon ? "/api/icons" : path, cors);
  } catch (error) {
    const isRefused = error instanceof Refused;
    if (!isRefused) console.error(error);
    const { status, code, headers } = isRefused ? error : new Refused(503, "service_unavailable");
    result = json({ error: code }, status, headers);
  }
  const { status, headers, body } = result;
  const length = status === 204 ? {} : { "Content-Length": Buffer.byteLength(body) };
  response.writeHead(status, { ...COMMON, ...cors, ...headers, ...length });
  response.end(request.method === "HEAD" ? undefined : body);
}

const SERVICE = "my-status";
for (const path of ["/api/health", "/health"])
  routes.set(path, { GET: () => json({ ok: true, service: SERVICE }) });

createServer(serve).listen(8000, "127.0.0.1", () => console.log("listening"));

// server.mjs, continued: writes and reads
import { timingSafeEqual } from "node:crypto";

const TOKEN = process.env.INGEST_TOKEN ?? "";
const MOST_BYTES = 16_384;
const LIFETIME_MS = 60_000;
const text = (time) => new Date(time).toISOString();

let stored = null;

// Returns the values of all lines of a header.
const lines = (request, name) =>
  request.rawHeaders.filter(
    (_, index) => index % 2 === 1 && request.rawHeaders[index - 1].toLowerCase() === name,
  );

function checkToken(request) {
  if (!/^\S{32,1024}$/u.test(TOKEN)) throw new Refused(503, "service_unavailable");
  const wanted = Buffer.from(`Bearer ${TOKEN}`);
  const sent = lines(request, "authorization").map((line) => Buffer.from(line, "latin1"));
  const isOne = sent.length === 1 && sent[0].length === wanted.length;
  if (!isOne || !timingSafeEqual(sent[0], wanted))
    throw new Refused(401, "unauthorized", { "WWW-Authenticate": "Bearer" });
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MOST_BYTES) throw new Refused(413, "payload_too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseJson(body) {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw new Refused(400, "invalid_json");
  }
}

// The checks of a write in their order: those of its head, and those of its body.
const headChecks = [checkToken];
const bodyChecks = [parseJson];

async function update(request) {
  for (const check of headChecks) check(request);
  let value = await readBody(request);
  const received = Date.now();
  for (const check of bodyChecks) value = check(value, received);
  const times = { updated_at: text(received), expires_at: text(received + LIFETIME_MS) };
  stored = { snapshot: value, received, times };
  return json({ ok: true, ...times });
}

// The reasons why the status is offline.
const offlineReasons = [() => stored === null];

// Returns a function that responds with a view of the status, or offline.
const reader = (view) => () => {
  const now = Date.now();
  const isOffline = offlineReasons.some((reason) => reason(now));
  return json(isOffline ? { status: "offline" } : view(stored, now));
};

for (const path of ["/api/update", "/update"]) routes.set(path, { POST: update });
for (const path of ["/api/now", "/now"])
  routes.set(path, {
    GET: reader(({ snapshot, times }) => ({ ...snapshot, status: "online", ...times })),
  });

// server.mjs, continued: expiry
offlineReasons.push((now) => now >= stored.received + LIFETIME_MS);
offlineReasons.push((now) => now < stored.received);

// server.mjs, continued: errors
function checkMediaType(request) {
  const types = lines(request, "content-type");
  const type = types.length === 1 ? types[0].split(";")[0].trim().toLowerCase() : "";
  if (type !== "application/json") throw new Refused(415, "unsupported_media_type");
}

function checkLength(request) {
  if (Number(request.headers["content-length"] ?? 0) > MOST_BYTES)
    throw new Refused(413, "payload_too_large");
}

function checkCoding(request) {
  const coding = (request.headers["content-encoding"] ?? "").trim().toLowerCase();
  if (!["", "identity"].includes(coding)) throw new Refused(415, "unsupported_media_type");
}

headChecks.push(checkMediaType, checkLength, checkCoding);

// server.mjs, continued: content
function require(condition) {
  if (!condition) throw new Refused(400, "invalid_payload");
}

// Returns a check of an object: a check for each member.
const object = (required, optional = {}) => (value) => {
  const checks = new Map(Object.entries({ ...required, ...optional }));
  require(value !== null && typeof value === "object" && !Array.isArray(value));
  require(Object.keys(required).every((name) => Object.hasOwn(value, name)));
  require(Object.keys(value).every((name) => checks.has(name)));
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, checks.get(name)(member)]),
  );
};

const orNull = (check) => (value) => (value === null ? null : check(value));

const number = (most) => (value) => {
  require(typeof value === "number" && 0 <= value && value <= most);
  return value === 0 ? 0 : value; // not -0
};

const oneOf = (...values) => (value) => {
  require(values.includes(value));
  return value;
};

// Lengths count code points.
const string = (longest) => (value) => {
  require(typeof value === "string" && value.isWellFormed());
  require(value !== "" && [...value].length <= longest && !/[\x00-\x1f\x7f]/.test(value));
  return value;
};

function timestamp(value) {
  const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,3}))?Z$/;
  const match = typeof value === "string" ? form.exec(value) : null;
  require(match !== null && !value.startsWith("0000"));
  const kept = `${match[1]}.${(match[2] ?? "").padEnd(3, "0")}Z`;
  // Date.parse accepts February 30 and 24:00.
  require(Number.isFinite(Date.parse(kept)) && text(Date.parse(kept)) === kept);
  return kept;
}

function runningApps(value) {
  require(Array.isArray(value) && value.length <= 64);
  require(new Set(value).size === value.length);
  return value.map(string(200));
}

function checkUrl(value, isHost) {
  require(value === value.trim() && URL.canParse(value));
  const url = new URL(value);
  require(url.protocol === "https:" && url.username === "" && url.password === "");
  require(url.port === "" && !url.hostname.split(".").includes(""));
  require(isHost(url.hostname));
}

function music(value) {
  const kept = MUSIC(value);
  const { artwork_url: artwork, track_url: track } = kept;
  require((artwork === undefined) === (track === undefined));
  require((artwork === null) === (track === null));
  if (typeof artwork === "string") {
    require(["playing", "paused"].includes(kept.state));
    require((kept.track ?? "").trim() !== "" && (kept.artist ?? "").trim() !== "");
    checkUrl(artwork, (host) => host.endsWith(".mzstatic.com"));
    checkUrl(track, (host) => ["music.apple.com", "itunes.apple.com"].includes(host));
  }
  return kept;
}

const MUSIC = object(
  {
    state: oneOf("playing", "paused", "stopped", "unavailable"),
    track: orNull(string(500)),
    artist: orNull(string(500)),
  },
  { artwork_url: orNull(string(2048)), track_url: orNull(string(2048)) },
);
const LOAD = orNull(number(100_000));
const SNAPSHOT = object(
  {
    schema_version: oneOf(1),
    collected_at: timestamp,
    active_app: orNull(string(200)),
    battery: object({
      percent: orNull(number(100)),
      charging: oneOf(true, false, null),
      power_source: oneOf("ac", "battery", "unknown"),
    }),
    system: object({ load_1m: LOAD, load_5m: LOAD, load_15m: LOAD }),
    music,
  },
  { running_apps: runningApps },
);

bodyChecks.push((value, received) => {
  const snapshot = SNAPSHOT(value);
  require(Math.abs(Date.parse(snapshot.collected_at) - received) <= 120_000);
  return snapshot;
});

// server.mjs, continued: views
const part = (view) =>
  reader(({ snapshot, times }) => ({
    status: "online",
    ...times,
    collected_at: snapshot.collected_at,
    ...view(snapshot),
  }));
const app = (name) =>
  name === null ? null : { name, icon_url: null, icon_api_url: null };

routes.set("/api/timeline", {
  GET: reader(({ snapshot, times }, now) => ({
    ...snapshot,
    ...{ status: "online", mode: "snapshot", server_time: text(now), ...times },
  })),
});
routes.set("/api/music", {
  GET: part((status) => ({
    music: { artwork_url: null, track_url: null, ...status.music },
  })),
});
routes.set("/api/apps/active", {
  GET: part((status) => ({ active_app: app(status.active_app) })),
});
routes.set("/api/apps/running", {
  GET: part((status) => ({ running_apps: status.running_apps?.map(app) ?? null })),
});
routes.set("/api/device", {
  GET: part(({ battery, system }) => ({ device: { battery, system } })),
});

// server.mjs, continued: icons
function manifest(request) {
  const path = request.url.split("?")[0];
  if (path.endsWith(".png")) throw new Refused(404, "not_found");
  const { headers, body } = json({ version: 1, icons: [] });
  const type = { "Content-Type": headers["Content-Type"] };
  return { status: 200, headers: { ...type, "Cache-Control": "public, max-age=3600" }, body };
}

for (const path of ["/api/icons", "/app-icons/index.json"])
  routes.set(path, { GET: manifest, HEAD: manifest });

// server.mjs, continued: badge
const escape = (content) => content.replace(/[&<>"]/g, (each) => `&#${each.charCodeAt(0)};`);

// Returns about how many pixels a text takes with its margins.
function width(content) {
  const none = /[\p{Mn}\p{Me}\p{Cf}]/u;
  const wide = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ud7a3\uf900-\ufaff]/u;
  const sizes = [...content].map((each) => (none.test(each) ? 0 : wide.test(each) ? 12 : 7));
  return sizes.reduce((sum, size) => sum + size, 20);
}

// Returns the text, or null for one of which nothing is visible.
function shown(text) {
  const nothing = /^[\s\p{Cc}\p{Default_Ignorable_Code_Point}\u2800]*$/u;
  return text === null || nothing.test(text) ? null : text;
}

function badgeText({ active_app: name, music: song }) {
  const [track, artist] = [shown(song.track), shown(song.artist)];
  if (song.state === "playing" && track !== null)
    return `♫ ${track}${artist === null ? "" : ` — ${artist}`}`;
  return shown(name) ?? "online";
}

function badge() {
  const isOffline = offlineReasons.some((reason) => reason(Date.now()));
  const letters = [...(isOffline ? "offline" : badgeText(stored.snapshot))];
  const shown = letters.length > 64 ? [...letters.slice(0, 61), "…"] : letters;
  const right = shown.join("").replace(/[\ufffe\uffff]/g, "\ufffd");
  const [first, second] = [width(SERVICE), width(right)];
  const body = `<svg xmlns="http://www.w3.org/2000/svg" width="${first + second}" height="20">\
<rect width="${first}" height="20" fill="#333"/>\
<rect x="${first}" width="${second}" height="20" fill="#1f684e"/>\
<g fill="#fff" font-family="Verdana,sans-serif" font-size="11">\
<text x="10" y="14">${SERVICE}</text>\
<text x="${first + 10}" y="14">${escape(right)}</text></g></svg>`;
  const headers = {
    "Content-Type": "image/svg+xml; charset=utf-8",
    "Content-Security-Policy": "default-src 'none'; style-src 'none'; sandbox",
  };
  return { status: 200, headers: { ...NO_STORE, ...headers }, body };
}

for (const path of ["/api/badge.svg", "/badge.svg"]) routes.set(path, { GET: badge });

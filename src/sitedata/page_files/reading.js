// Reads the bytes of a site-data file as sitedata.parse does: strict on the types of the documented
// members and on times, tolerant of everything else.
//
// Invariant: no invalid time enters sorting; a file with one is refused as a whole.
const reading = (() => {
  const { DAY_MS, read, write } = days;

  class InvalidFile extends Error {} // the message is the place and what was expected there

  const MINUTE_MS = 60_000;
  const DAY_MINUTES = 1_440;
  const FIRST = -62_135_596_800_000; // the first and the last millisecond of the years 0001 to 9999
  const LAST = 253_402_300_799_999;
  const TIME = new RegExp(
    "^([0-9]{4}-[0-9]{2}-[0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-5][0-9])(?:\\.([0-9]{1,6}))?"
      + "(?:[Zz]|([+-])([0-9]{2}):([0-9]{2}))$",
  );
  const BUILT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]{3}Z$/;
  const MAX_DEPTH = 502; // layers of values: those of the file, and as many as status_contracts.json_text allows below
  const TEXTS = ["path", "platform", "language", "title", "problemUrl", "githubUrl", "rawUrl"];

  // Returns the minutes of `HH:MM`, or NaN.
  const minutesOf = (hours, minutes) =>
    Number(hours) < 24 && Number(minutes) < 60 ? Number(hours) * 60 + Number(minutes) : NaN;

  // Parses a time with an offset; returns null for other text, else its `day` as written, and its
  // instant: `ms` since the epoch, and `rest`, the microseconds after that.
  function parseTime(text) {
    const found = TIME.exec(text);
    if (found === null) return null;
    const [, day, hours, minutes, seconds, decimals = "", sign, ...offset] = found;
    const ahead = sign === undefined ? 0 : minutesOf(...offset) * (sign === "-" ? -1 : 1);
    const minute = read(day) * DAY_MINUTES + minutesOf(hours, minutes) - ahead;
    if (read(day) === null || Number.isNaN(minute)) return null;
    const digits = decimals.padEnd(6, "0");
    const ms = minute * MINUTE_MS + Number(seconds) * 1_000 + Number(digits.slice(0, 3));
    if (ms < FIRST || ms > LAST) return null;
    return { day, ms, rest: Number(digits.slice(3)) };
  }

  // Compares two instants exactly.
  const compareTimes = (one, other) => one.ms - other.ms || one.rest - other.rest;

  // ---- files

  function check(condition, place, expected) {
    if (!condition) throw new InvalidFile(`${place || "the file"} is not ${expected}`);
  }

  const isObject = (value) =>
    value !== null && typeof value === "object" && !Array.isArray(value);
  const isText = (value) =>
    typeof value === "string" && (value.isWellFormed === undefined || value.isWellFormed());
  const isCount = (value) => Number.isInteger(value) && value >= 0;

  function checkTexts(value, place, names) {
    check(isObject(value), place, "an object");
    for (const name of names) check(isText(value[name]), `${place}/${name}`, "text");
  }

  function readProblem(value, place) {
    checkTexts(value, place, TEXTS);
    const { submittedAt } = value;
    if (submittedAt === null) return { ...value, time: null };
    const time = typeof submittedAt === "string" ? parseTime(submittedAt) : null;
    check(time !== null, `${place}/submittedAt`, "null or a time with an offset");
    return { ...value, time };
  }

  function readBuilt(text) {
    const ms = typeof text === "string" && BUILT.test(text) ? Date.parse(text) : NaN;
    const isReal = !Number.isNaN(ms) && new Date(ms).toISOString() === text && text >= "0001";
    check(isReal, "/generatedAt", "a UTC time with milliseconds");
    return ms;
  }

  function checkContributions(value) {
    check(isObject(value), "/contributions", "an object");
    const isValid = ([text, count]) => read(text) !== null && isCount(count);
    check(Object.entries(value).every(isValid), "/contributions", "days with counts of 0 or more");
  }

  // Checks without recursion whether a value is nested deeper than the library reads.
  function isDeep(value) {
    let layer = [value];
    for (let depth = 0; depth < MAX_DEPTH && layer.length > 0; depth += 1) {
      layer = layer.flatMap((each) => (each !== null && typeof each === "object" ? Object.values(each) : []));
    }
    return layer.length > 0;
  }

  function readJson(body) {
    try {
      return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    } catch {
      throw new InvalidFile("the file is not JSON text in UTF-8");
    }
  }

  // Returns what the page needs of a file: `problems` with their `time`, the days with contributions,
  // and `generatedAt` in ms.
  // Raises InvalidFile for bytes that are no valid snapshot.
  function parse(body) {
    const file = readJson(body);
    check(!isDeep(file), "", "nested at most as deep as a snapshot is");
    check(isObject(file), "", "an object");
    checkTexts(file.repository, "/repository", ["owner", "name", "branch"]);
    check(isText(file.sourceRef), "/sourceRef", "text");
    check(isCount(file.commitCount), "/commitCount", "a count of 0 or more");
    checkContributions(file.contributions);
    check(isObject(file.ratings), "/ratings", "an object");
    check(Array.isArray(file.problems), "/problems", "a list");
    return {
      generatedAt: readBuilt(file.generatedAt),
      active: new Set(Object.keys(file.contributions).filter((day) => file.contributions[day] > 0)),
      problems: file.problems.map((each, n) => readProblem(each, `/problems/${n}`)),
    };
  }

  return { InvalidFile, compareTimes, parse };
})();

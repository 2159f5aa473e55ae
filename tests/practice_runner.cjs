"use strict";
// Runs the modules of the practice page, in the folder that the first argument names, over a list of
// files from standard input, each its bytes in base64 and numbers of weeks; prints what the page computes of each.
const { readFileSync } = require("node:fs");
const path = require("node:path");

const load = (name) => require(path.join(process.argv[2], name));
const [days, reading, calendar, listing] =
  ["days.js", "reading.js", "calendar.js", "listing.js"].map(load);

const streak = (found) =>
  found && { first: days.write(found.first), last: days.write(found.last), days: found.length };

function heat(built, weeks) {
  const { monday, first, last, levels, scale } = calendar.heat(built, weeks);
  return levels.size === 0 ? null : { monday, days: [first, last], levels: [...levels], scale: [...scale] };
}

function results({ body, weeks }) {
  let snapshot;
  try {
    snapshot = reading.parse(Buffer.from(body, "base64"));
  } catch (error) {
    if (!(error instanceof reading.InvalidFile)) throw error;
    return { invalid: error.message };
  }
  const { problems, contributions, generatedAt } = snapshot;
  const order = (sort) => listing.ordered(problems, sort).map((each) => problems.indexOf(each));
  const merged = listing.merge(problems);
  const solved = calendar.countProblems(merged);
  const built = calendar.build(contributions, generatedAt);
  const found = calendar.streaks(built);
  return {
    generatedAt,
    orders: { newest: order("newest"), oldest: order("oldest") },
    platforms: listing.ranked(merged, "platforms"),
    sites: listing.ranked(merged, "sites"),
    languages: listing.ranked(merged, "languages"),
    grouping: listing.groupingOf(problems),
    files: merged.map(({ files }) => files.map((each) => problems.indexOf(each))),
    until: days.write(built.until),
    counts: [...built.counts].map(([day, count]) => [days.write(day), count]),
    streaks: found.map(streak),
    longest: streak(calendar.longest(found)),
    current: [-2, -1, 0].map((n) => streak(calendar.current(found, built.until + n))),
    heats: weeks.map((each) => heat(built, each)),
    solved: [...solved].sort(([a], [b]) => a - b).map(([day, count]) => [days.write(day), count]),
    spans: calendar.spans(solved, built.until),
  };
}

const files = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(files.map(results)));

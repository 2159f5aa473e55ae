"use strict";
// Runs the modules of the practice page, in the folder that the first argument names, over a list of
// files from standard input, each its bytes in base64; prints what the page computes of each.
const { readFileSync } = require("node:fs");
const path = require("node:path");

const load = (name) => require(path.join(process.argv[2], name));
const [reading, listing] = ["reading.js", "listing.js"].map(load);

function results({ body }) {
  let snapshot;
  try {
    snapshot = reading.parse(Buffer.from(body, "base64"));
  } catch (error) {
    if (!(error instanceof reading.InvalidFile)) throw error;
    return { invalid: error.message };
  }
  const { problems, generatedAt } = snapshot;
  const order = (sort) => listing.ordered(problems, sort).map((each) => problems.indexOf(each));
  const merged = listing.merge(problems);
  return {
    generatedAt,
    orders: { newest: order("newest"), oldest: order("oldest") },
    platforms: listing.ranked(merged, "platforms"),
    sites: listing.ranked(merged, "sites"),
    languages: listing.ranked(merged, "languages"),
    solved: listing.merge(problems, snapshot.active).map(({ solved }) => solved),
    files: merged.map(({ files }) => files.map((each) => problems.indexOf(each))),
  };
}

const files = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(files.map(results)));

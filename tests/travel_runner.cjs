"use strict";
// Runs sessions of the time travel, from standard input: [{data, instants, snapshots, words}].  The
// arguments name player.js and travel.js, which expects the player as a global name.
const { readFileSync } = require("node:fs");

globalThis.player = require(process.argv[2]);
const travel = require(process.argv[3]);

function forward(session, start) {
  const found = [];
  let at = travel.changeAfter(session, start);
  while (at !== null) {
    found.push(at);
    at = travel.changeAfter(session, at);
  }
  return found;
}

function run({ data, instants }) {
  const session = travel.prepare(data);
  return {
    looks: instants.map((now) => travel.look(session, now)),
    fields: instants.map((now) => {
      const { snapshot } = travel.look(session, now);
      return snapshot === null ? null : travel.fields(snapshot, data.words);
    }),
    spans: travel.spans(session, data.start, data.end),
    after: forward(session, data.start),
    before: instants.map((now) => travel.changeBefore(session, now)),
  };
}

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(run)));

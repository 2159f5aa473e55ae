"use strict";
// Plays the stories of playback_vectors.py, on standard input, with the engine named by the first
// argument; prints what each step gave.  States are frozen before each step: who changes one fails.
const { readFileSync } = require("node:fs");

const playback = require(process.argv[2]);

function frozen(value) {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

function play(story) {
  let state = frozen(playback.START);
  return story.steps.map((step) => {
    if ("view" in step) return playback.view(state, step.view);
    if ("intervals" in step) return playback.intervals(state);
    const before = state;
    const [after, outcome] = playback.accept(before, step.accept, step.at);
    if ("refused" in outcome && after !== before) throw new Error("a refusal changed the state");
    state = frozen(after);
    return outcome;
  });
}

const stories = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(stories.map(play)));

"use strict";
// Runs scenarios, lists of steps from standard input, with the player module that the first argument
// names; prints the result of each step.  States are frozen before each step, so that changing one is
// an error.
const { readFileSync } = require("node:fs");

const player = require(process.argv[2]);

function frozen(value) {
  if (value !== null && typeof value === "object" && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(frozen);
  }
  return value;
}

function play(steps) {
  let state = frozen(player.START);
  return steps.map((step) => {
    if ("view" in step) return player.view(state, step.view);
    if ("intervals" in step) return player.intervals(state);
    const before = state;
    const [after, outcome] = player.accept(before, step.accept, step.at);
    if ("refused" in outcome && after !== before) throw new Error("a refusal changed the state");
    state = frozen(after);
    return outcome;
  });
}

const scenarios = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(scenarios.map(play)));

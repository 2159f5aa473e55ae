// Decides when the home page requests api/timeline again: every 120 s, and earlier where the shown
// status expires earlier, but at least 60 s after the previous request.
const polling = (() => {
  const INTERVAL_MS = 120_000; // the interval of the contract
  const MIN_INTERVAL_MS = 60_000;

  // Returns how long the content of a view lasts, in ms; null when it shows nothing.
  function remainingMs(view, now) {
    if (view.mode === "window") return 1_000 * ((view.warmUpSeconds ?? 0) + view.bufferedSeconds);
    if (view.mode !== "snapshot") return null;
    return view.nextChangeAt === null ? 0 : view.nextChangeAt - now;
  }

  // Checks whether a request is due, given the ms since the previous one, and the view at an instant
  // of the player's monotonic clock.
  function isDue(elapsedMs, view, now) {
    const left = remainingMs(view, now);
    return elapsedMs >= INTERVAL_MS || (elapsedMs >= MIN_INTERVAL_MS && left !== null && left <= 0);
  }

  return { isDue };
})();

if (typeof module === "object") module.exports = polling;

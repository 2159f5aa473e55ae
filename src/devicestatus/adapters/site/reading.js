// When the home page reads api/timeline again: every 120 s, and where what it shows runs out earlier,
// then, but never sooner than 60 s after the last reading began.
const reading = (() => {
  const PERIOD = 120_000; // ms from one reading to the next: the contract's interval
  const LEAST = 60_000; // ms between two readings, at least

  // How long what a view of the engine shows will last, in ms; null when it shows nothing.
  function lasts(view, now) {
    if (view.mode === "window") return 1_000 * ((view.warmUpSeconds ?? 0) + view.bufferedSeconds);
    if (view.mode !== "snapshot") return null;
    return view.nextChangeAt === null ? 0 : view.nextChangeAt - now;
  }

  // Checks whether it is time to read, given the ms since the last reading began, and the view at
  // an instant of the engine's monotonic clock.
  function isDue(since, view, now) {
    const left = lasts(view, now);
    return since >= PERIOD || (since >= LEAST && left !== null && left <= 0);
  }

  return { isDue };
})();

if (typeof module === "object") module.exports = reading;

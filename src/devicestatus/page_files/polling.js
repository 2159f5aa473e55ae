// Decides when the home page requests api/timeline again, every 120 s or earlier where the shown
// status runs out, but not within 60 s; and when failed requests make the status unknown.
const polling = (() => {
  const INTERVAL_MS = 120_000; // PAGE_INTERVAL_MS
  const MIN_INTERVAL_MS = 60_000;
  const MAX_FAILURES = 2;

  // Checks whether a request is due, given the ms since the previous one and the current view.
  function isDue(elapsedMs, { warmUpSeconds, bufferedSeconds }) {
    const hasRunOut = bufferedSeconds === 0 && warmUpSeconds === null;
    return elapsedMs >= (hasRunOut ? MIN_INTERVAL_MS : INTERVAL_MS);
  }

  // Checks whether the status is unknown after so many failed requests in a row: what is played and
  // what the last response said stay after one, if there was a response.
  function isUnknown(failures, view) {
    const plays = view.mode === "window" && view.reason !== "exhausted";
    return !plays && failures >= (view.reason === "warm-up" ? 1 : MAX_FAILURES);
  }

  return { isDue, isUnknown };
})();

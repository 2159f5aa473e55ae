// Durations and ages as text.
const times = (() => {
  const AGO_STEP_MS = 5_000; // precision of ages
  const UNITS = [["d", "day", 86_400], ["h", "hour", 3_600], ["min", "minute", 60], ["s", "second", 1]];

  const { formatTime, isText } = page;

  // Writes a duration in whole seconds, with at most two units: "7 min", "7 min 20 s", "20 s".
  function formatDuration(ms) {
    let seconds = Math.max(0, Math.round(ms / 1_000));
    const first = UNITS.findIndex(([, , size]) => seconds >= size);
    if (first === -1) return "0 s";
    const parts = UNITS.slice(first, first + 2).map(([unit, , size]) => {
      const count = Math.floor(seconds / size);
      seconds -= count * size;
      return count === 0 ? "" : `${count}\u00a0${unit}`;
    });
    return parts.filter(isText).join("\u00a0");
  }

  // Writes an age or a duration in words, as its largest unit: "20 seconds", "4 minutes", "1 day".
  function formatInWords(ms) {
    const seconds = Math.floor(Math.max(0, ms) / AGO_STEP_MS) * (AGO_STEP_MS / 1_000);
    const [, unit, size] = UNITS.find(([, , each]) => seconds >= each) ?? [];
    if (unit === undefined) return "a few seconds";
    const count = Math.floor(seconds / size);
    return `${count}\u00a0${unit}${count === 1 ? "" : "s"}`;
  }

  // Writes how long ago an instant was or, on paper, when.
  const formatAge = (at, now, isOnPaper) => (isOnPaper ? `at ${formatTime(at)}` : `${formatInWords(now - at)} ago`);

  return { formatAge, formatDuration, formatInWords };
})();

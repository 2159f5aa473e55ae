// Replaces the cards by those of the same page every two minutes, while it is visible.
(() => {
  const INTERVAL_MS = 120_000; // PAGE_INTERVAL_MS: as the page of a device reads
  const TIMEOUT_MS = 30_000;

  const { byId, formatMinute, replaceContent, setText, showNotice } = page;
  let readAt = Date.now();
  let triedAt = readAt;

  async function read() {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    if (found.getElementById("devices") === null) throw new Error("another page");
    showLocalTimes(found);
    return found.getElementById("main").childNodes;
  }

  async function update() {
    triedAt = Date.now();
    try {
      replaceContent(byId("main"), ...await read());
      readAt = Date.now();
      showNotice("notice", null);
    } catch {
      const title = "The devices cannot be read at the moment";
      const text = `What is shown is of ${formatMinute(readAt)}. It is tried again every two minutes.`;
      showNotice("notice", { kind: "failed", title, text, retry: update });
    }
    showAge();
  }

  // After two failures in a row what is shown is past, as on the page of a device.
  function showAge() {
    const isPast = Date.now() - readAt >= 2 * INTERVAL_MS;
    byId("main").classList.toggle("stale", isPast);
    setText("at", isPast ? ` at ${formatMinute(readAt)}` : "");
    setText("read", `Read at ${formatMinute(readAt)}, again every two minutes.`);
  }

  // Writes times in the zone of the reader; the page has them in UTC.
  function showLocalTimes(shown) {
    for (const time of shown.querySelectorAll("time")) {
      time.textContent = formatMinute(Date.parse(time.dateTime));
    }
  }

  const updateIfDue = () => {
    if (!document.hidden && Date.now() - triedAt >= INTERVAL_MS) update();
  };

  showLocalTimes(document);
  showAge();
  setInterval(updateIfDue, INTERVAL_MS / 12);
  document.addEventListener("visibilitychange", updateIfDue);
})();

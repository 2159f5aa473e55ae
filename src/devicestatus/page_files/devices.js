// Replaces the cards by those of the same page every two minutes, while it is visible.
(() => {
  const INTERVAL_MS = 120_000; // PAGE_INTERVAL_MS: as the page of a device reads
  const TIMEOUT_MS = 30_000;

  const { byId, formatMinute, replaceContent, setOptionalText, showNotice } = page;
  let readAt = Date.now();
  let triedAt = readAt;

  async function read() {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    const devices = found.getElementById("devices");
    if (devices === null) throw new Error("another page");
    return devices.children;
  }

  async function update() {
    triedAt = Date.now();
    try {
      replaceContent(byId("devices"), ...await read());
      showLocalTimes();
      readAt = Date.now();
      showNotice("notice", null);
    } catch {
      const title = "The devices cannot be read at the moment";
      const text = `What is shown is of ${formatMinute(readAt)}. It is tried again every two minutes.`;
      showNotice("notice", { kind: "failed", title, text, retry: update });
    }
    showAge();
  }

  const showAge = () => setOptionalText("age", `Read at ${formatMinute(readAt)}, and again every two minutes.`);

  // Writes times in the zone of the reader; the page has them in UTC.
  function showLocalTimes() {
    for (const time of byId("devices").querySelectorAll("time")) {
      time.textContent = formatMinute(Date.parse(time.dateTime));
    }
  }

  const updateIfDue = () => {
    if (!document.hidden && Date.now() - triedAt >= INTERVAL_MS) update();
  };

  showLocalTimes();
  showAge();
  setInterval(updateIfDue, INTERVAL_MS / 12);
  document.addEventListener("visibilitychange", updateIfDue);
})();

// Replaces the cards by those of the same page every two minutes, while it is visible.
(() => {
  const INTERVAL_MS = 120_000; // PAGE_INTERVAL_MS: as the page of a device reads
  const TIMEOUT_MS = 30_000;
  const DAY_MS = 86_400_000;

  const { byId, formatMinute, replaceContent, setText, showNotice } = page;
  let readAt = Date.now();
  let triedAt = readAt;
  const owner = document.querySelector(".owner-name").textContent;

  // Shows the page as it is now; the card that has the focus keeps it.
  async function read() {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    showLocalTimes(found);
    const focused = document.activeElement;
    for (const name of ["#devices", "h1"]) { // the first fails on another page
      replaceContent(document.querySelector(name), ...found.querySelector(name).childNodes);
    }
    readAt = Date.now();
    showNotice("notice", null);
    if (focused?.getClientRects().length !== 0) return; // it is still there, and is not hidden
    const link = document.querySelector(`#devices [href="${focused.getAttribute("href")}"]`);
    (link ?? byId("main")).focus({ preventScroll: true });
  }

  async function update() {
    triedAt = Date.now();
    try {
      await read();
    } catch {
      const text = `What is shown is of ${formatMinute(readAt)}. It is tried again every two minutes.`;
      showNotice("notice", { kind: "failed", title: "The devices cannot be read at the moment", text, retry: update });
    }
    showAge();
  }

  // After two failures in a row what is shown is past, as on the page of a device.
  function showAge() {
    const isPast = Date.now() - readAt >= 2 * INTERVAL_MS;
    const current = isPast ? document.querySelectorAll("main:not(.stale) .state") : [];
    for (const state of current) state.textContent = `Was ${state.textContent.replace("No", "without").toLowerCase()}`;
    byId("main").classList.toggle("stale", isPast);
    const at = byId("notice").hidden ? "" : ` at ${formatMinute(readAt)}`;
    setText("at", at);
    const [count, online] = [".device", "[data-state=online]"].map((each) => document.querySelectorAll(each).length);
    if (count > 0) document.title = `${online} of ${count} online${at} · ${owner}`;
    setText("read", byId("notice").hidden && count > 0 ? `Read at ${formatMinute(readAt)}, again every two minutes.` : "");
  }

  // Writes times in the zone of the reader; the page has them in UTC.
  function showLocalTimes(shown) {
    for (const time of shown.querySelectorAll("time")) {
      const at = Date.parse(time.dateTime);
      if (Date.now() - at < DAY_MS) time.textContent = formatMinute(at); // an earlier one is "2 days ago"
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

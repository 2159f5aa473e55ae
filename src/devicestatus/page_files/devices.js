// Replaces the cards by those of the same page when `data-wait` says so, while it is visible.
(() => {
  const TICK_MS = 10_000; // between two checks whether a read is due
  const TIMEOUT_MS = 30_000;

  const { byId, formatMinute, replaceContent, setText, showNotice } = page;
  let readAt = Date.now();
  let [triedAt, failures] = [readAt, 0]; // reads that failed in a row
  let wait = byId("devices").dataset.wait; // ms to the next read: as the page of a device reads

  // Shows the page as it is now; the card that has the focus keeps it.
  async function read() {
    const response = await fetch(location.href, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!response.ok) throw new Error(`status ${response.status}`);
    const found = new DOMParser().parseFromString(await response.text(), "text/html");
    showLocalTimes(found);
    const list = found.getElementById("devices"); // null on another page: a failure
    const focused = document.activeElement;
    replaceContent(byId("devices"), ...list.childNodes);
    setText("summary", found.getElementById("summary").textContent);
    [readAt, wait, failures] = [Date.now(), list.dataset.wait, 0];
    showNotice("notice", null);
    if (focused?.getClientRects().length !== 0) return; // it is still there, and is not hidden
    const link = document.querySelector(`#devices [href="${focused.getAttribute("href")}"]`);
    (link ?? byId("main")).focus({ preventScroll: true });
  }

  async function update() {
    [triedAt, failures] = [Date.now(), failures + 1]; // until it succeeds
    try {
      await read();
    } catch {
      const text = `What is shown is of ${formatMinute(readAt)}. The page tries again within two minutes.`;
      showNotice("notice", { kind: "failed", title: "The devices cannot be read at the moment", text, retry: update });
    }
    showAge();
  }

  // After two failures in a row what is shown is past, as on the page of a device.
  function showAge() {
    const isPast = failures > 1;
    const current = isPast ? document.querySelectorAll("main:not(.stale) .state") : [];
    for (const state of current) state.textContent = `Was ${state.textContent.replace("No", "without").toLowerCase()}`;
    byId("main").classList.toggle("stale", isPast);
    const at = byId("notice").hidden ? "" : ` at ${formatMinute(readAt)}`;
    setText("at", at);
    document.title = ["h1", ".owner-name"].map((name) => document.querySelector(name).textContent).join(" · ");
    setText("read", at === "" ? `Read at ${formatMinute(readAt)}, again within two minutes.` : "");
  }

  // Writes times in the zone of the reader; the page has them in UTC.
  function showLocalTimes(shown) {
    for (const time of shown.querySelectorAll("time")) time.textContent = formatMinute(Date.parse(time.dateTime));
  }

  const updateIfDue = () => {
    if (!document.hidden && Date.now() - triedAt >= wait) update();
  };

  showLocalTimes(document);
  showAge();
  setInterval(updateIfDue, TICK_MS);
  document.addEventListener("visibilitychange", updateIfDue);
})();

// Functions that the scripts of all pages share: values as text, and changes to elements.  Values
// from a response are inserted as text only.
const page = (() => {
  // The language of the pages; it decides how they write numbers and times.
  const LANGUAGE = "en-GB";

  // Returns a function that writes times as the pictures do: "21 Jan 2022", "14:05".
  function timeFormat(options) {
    const { format } = new Intl.DateTimeFormat(LANGUAGE, options);
    return (at) => format(at).replace(/Sept\b/, "Sep"); // some browsers write "Sept"
  }

  const formatDay = timeFormat({ dateStyle: "medium" });
  const formatTime = timeFormat({ timeStyle: "medium" });
  const formatMinute = timeFormat({ timeStyle: "short" });

  const byId = (id) => document.getElementById(id);

  // ---- text

  const isText = (value) => typeof value === "string" && value !== "";

  // Writes a number as the pictures do, with at most one decimal: "7.5", "31,170"; never "-0".
  const { format: formatNumber } = new Intl.NumberFormat(
    LANGUAGE, { maximumFractionDigits: 1, signDisplay: "negative" },
  );

  const counted = (count, one) => `${formatNumber(count)} ${one}${count === 1 ? "" : "s"}`;

  const list = new Intl.ListFormat("en");
  const formatList = (texts) => list.format(texts);

  function sentence(...parts) {
    const text = parts.filter(isText).join(", ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  // ---- elements

  function setText(id, text) {
    const element = byId(id);
    // An unchanged text is not set again, because a screen reader would read it again.
    if (element.textContent !== text) element.textContent = text;
  }

  function setVisible(id, isVisible) {
    byId(id).toggleAttribute("hidden", !isVisible);
  }

  // Sets the text of an element that is hidden while its text is empty.
  function setOptionalText(id, text) {
    setVisible(id, text !== "");
    setText(id, text);
  }

  // Replaces the children of an element unless they are equal, to keep focus and loaded images.
  function replaceContent(element, ...created) {
    const old = [...element.childNodes];
    const isSame = old.length === created.length
      && created.every((item, n) => item.isEqualNode(old[n]));
    if (!isSame) element.replaceChildren(...created);
  }

  // Creates an element with a class or an object of properties, if it is not ""; `bdi` isolates the
  // direction of a text from its surroundings.
  function createElement(tag, given, ...content) {
    const created = document.createElement(tag);
    if (given !== "") Object.assign(created, typeof given === "string" ? { className: given } : given);
    created.append(...content);
    return created;
  }

  // Fills the block of `status_contracts.pages.blocks`, or hides it for null: `kind` ("empty", "failed",
  // "missing", "loading"), `title` (what happened), `text` (what to do), `link` ({ label, url }),
  // `retry` (called by a button).
  function showNotice(id, notice) {
    const element = byId(id);
    setVisible(id, notice !== null);
    if (notice === null) return;
    const { kind, title, text = "", link, retry } = notice;
    const actions = [];
    const button = { className: "button", type: "button", onclick: retry };
    if (retry !== undefined) actions.push(createElement("button", button, "Try again"));
    if (link !== undefined) actions.push(createElement("a", { href: link.url }, link.label));
    element.dataset.kind = kind;
    replaceContent(
      element,
      createElement("p", "notice-title", title),
      ...(text === "" ? [] : [createElement("p", "", text)]),
      ...(actions.length === 0 ? [] : [createElement("p", "notice-actions", ...actions)]),
    );
  }

  // Opens all details, and writes the time and the source at the end of the page.
  function prepareToPrint() {
    const closed = document.querySelectorAll("details:not([open])");
    const source = location.protocol === "file:" ? "" : `, from ${location.origin}${location.pathname}`;
    const line = createElement(
      "p", "on-paper", `Printed ${formatDay(Date.now())}, ${formatMinute(Date.now())}${source}`,
    );
    for (const element of closed) element.open = true;
    document.querySelector("footer")?.append(line);
    addEventListener("afterprint", () => {
      for (const element of closed) element.open = false;
      line.remove();
    }, { once: true });
  }

  // The scripts also run without a window, in tests.
  if (typeof addEventListener === "function") addEventListener("beforeprint", prepareToPrint);

  return {
    byId, counted, createElement, formatList, formatMinute, formatNumber, formatTime, isText, LANGUAGE,
    replaceContent, sentence, setOptionalText, setText, setVisible, showNotice, timeFormat,
  };
})();

// What the scripts of the home page share: words for times, and parts of the page.  Whatever comes
// from an answer goes into the page as text only.
const page = (() => {
  const STEP = 5_000; // ms between two looks at "20 s ago"
  const UNITS = [["d", 86_400], ["h", 3_600], ["min", 60], ["s", 1]];

  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
  const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

  const node = (id) => document.getElementById(id);

  // ---- words

  const isText = (value) => typeof value === "string" && value !== "";

  // In whole seconds, by the two largest units at most: "7 min", "7 min 20 s", "20 s".
  function lasting(ms) {
    let seconds = Math.max(0, Math.round(ms / 1_000));
    const first = UNITS.findIndex(([, size]) => seconds >= size);
    if (first === -1) return "0 s";
    const parts = UNITS.slice(first, first + 2).map(([unit, size]) => {
      const count = Math.floor(seconds / size);
      seconds -= count * size;
      return count === 0 ? "" : `${count} ${unit}`;
    });
    return parts.filter(isText).join(" ");
  }

  function ago(ms) {
    const seconds = Math.floor(Math.max(0, ms) / STEP) * (STEP / 1_000);
    const [unit, size] = UNITS.find(([, each]) => seconds >= each) ?? [];
    return unit === undefined ? "just now" : `${Math.floor(seconds / size)} ${unit} ago`;
  }

  const timeOfDay = (at) => clock.format(at);

  function timeAndDay(at) {
    const isToday = day.format(Date.now()) === day.format(at);
    return isToday ? clock.format(at) : `${day.format(at)}, ${clock.format(at)}`;
  }

  function sentence(...parts) {
    const text = parts.filter(isText).join(", ");
    return text.charAt(0).toUpperCase() + text.slice(1);
  }

  // ---- parts of the page

  function put(id, text, none = false) {
    const place = node(id);
    // An unchanged text stays untouched, so that a screen reader does not say it again.
    if (place.textContent !== text) place.textContent = text;
    place.classList.toggle("none", none);
  }

  function putTime(id, at) {
    put(id, timeAndDay(at));
    node(id).dateTime = new Date(at).toISOString();
  }

  function reveal(id, shown) {
    node(id).toggleAttribute("hidden", !shown);
  }

  // A line that is there only when it has words.
  function tell(id, text) {
    reveal(id, text !== "");
    put(id, text);
  }

  // Equal content stays as it is: the keyboard's focus and the images survive a reading.
  function fill(place, ...made) {
    const old = [...place.childNodes];
    const same = old.length === made.length && made.every((item, n) => item.isEqualNode(old[n]));
    if (!same) place.replaceChildren(...made);
  }

  // A new element; a text is set apart from what stands around it, whatever its direction.
  function make(tag, className, ...content) {
    const made = document.createElement(tag);
    if (className !== "") made.className = className;
    made.append(...content);
    return made;
  }

  return {
    ago, fill, isText, lasting, make, node, put, putTime, reveal, sentence, tell, timeOfDay,
  };
})();

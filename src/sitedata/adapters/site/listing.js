// Orders, filters and counts problems, and writes the state of a filter as the fragment of a URL.
// Order and counts are ports of sitedata.views.selecting; tests compare both.
const listing = (() => {
  const { read } = typeof days === "object" ? days : require("./days.js");
  const { compareTimes } =
    typeof reading === "object" ? reading : require("./reading.js");

  const MAX_TEXT = 200; // of a text in a fragment, in UTF-16 units

  const EMPTY = Object.freeze({
    text: "", platform: null, language: null, since: null, until: null, sort: "newest",
  });

  // ---- order

  // Compares texts in the order of code points, which UTF-16 units do not have.
  function comparePoints(one, other) {
    const length = Math.min(one.length, other.length);
    for (let n = 0; n < length; n += 1) {
      let [a, b] = [one.charCodeAt(n), other.charCodeAt(n)];
      if (a !== b) {
        if (a >= 0xd800 && b >= 0xd800) {
          a += a >= 0xe000 ? -0x800 : 0x2000;
          b += b >= 0xe000 ? -0x800 : 0x2000;
        }
        return a - b;
      }
    }
    return one.length - other.length;
  }

  const byPath = (one, other) => comparePoints(one.path, other.path);

  function byTime(sign) {
    return (one, other) => {
      if (one.time === null || other.time === null) {
        return (one.time === null) - (other.time === null) || byPath(one, other);
      }
      return sign * compareTimes(one.time, other.time) || byPath(one, other);
    };
  }

  function byText(name) {
    const { compare } = new Intl.Collator(undefined, { numeric: true });
    return (one, other) => compare(one[name], other[name]) || byTime(-1)(one, other);
  }

  const ORDERS = {
    newest: () => byTime(-1),
    oldest: () => byTime(1),
    title: () => byText("title"),
    platform: () => byText("platform"),
    language: () => byText("language"),
  };

  const ordered = (problems, sort) => [...problems].sort(ORDERS[sort]());

  // ---- filters

  const fold = (text) => text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");

  // Returns the problems with the text in which `select` searches.
  const prepare = (problems) =>
    problems.map((each) => ({
      ...each,
      folded: fold([each.title, each.path, each.platform, each.language].join("\n")),
    }));

  // Returns the prepared problems that pass a filter, in their order.  Each word of its text must be
  // in title, path, platform or language, in any case.  Days are those of the problem's own text.
  function select(problems, { text, platform, language, since, until }) {
    const words = fold(text).split(/\s+/u).filter((word) => word !== "");
    return problems.filter(
      (each) =>
        (platform === null || each.platform === platform)
        && (language === null || each.language === language)
        && (since === null || (each.time !== null && each.time.day >= since))
        && (until === null || (each.time !== null && each.time.day <= until))
        && words.every((word) => each.folded.includes(word)),
    );
  }

  // Returns pairs of name and number of problems, the largest first, equal numbers by name.
  function ranked(problems, name) {
    const counts = new Map();
    for (const each of problems) counts.set(each[name], (counts.get(each[name]) ?? 0) + 1);
    return [...counts].sort(([a, one], [b, other]) => other - one || comparePoints(a, b));
  }

  // ---- fragments

  // Returns the filter in a fragment; what it does not know is ignored.
  function readFragment(fragment) {
    const given = new URLSearchParams(fragment.replace(/^#/u, ""));
    const day = (name) => (read(given.get(name) ?? "") === null ? null : given.get(name));
    const sort = given.get("sort");
    return {
      text: (given.get("q") ?? "").slice(0, MAX_TEXT),
      platform: given.get("platform"),
      language: given.get("language"),
      since: day("since"),
      until: day("until"),
      sort: sort !== null && Object.hasOwn(ORDERS, sort) ? sort : EMPTY.sort,
    };
  }

  // Returns the fragment of a filter, without `#`; it is empty for the empty filter.
  function writeFragment({ text, sort, ...others }) {
    const given = new URLSearchParams();
    if (text !== "") given.set("q", text.slice(0, MAX_TEXT));
    for (const [name, value] of Object.entries(others)) if (value !== null) given.set(name, value);
    if (sort !== EMPTY.sort) given.set("sort", sort);
    return given.toString();
  }

  return { EMPTY, ordered, prepare, ranked, readFragment, select, writeFragment };
})();

if (typeof module === "object") module.exports = listing;

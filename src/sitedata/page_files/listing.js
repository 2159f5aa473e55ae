// Orders, filters and counts problems, and writes the state of a filter as the fragment of a URL.
// Order and counts are ports of sitedata.views.selecting; tests compare both.
const listing = (() => {
  const { DAY_MS, read, write } = days;
  const { compareTimes } = reading;

  const MAX_TEXT = 200; // of a text in a fragment, in UTF-16 units

  const EMPTY = Object.freeze({
    text: "", platform: null, site: null, language: null, since: null, until: null, sort: "newest",
  });

  // ---- order

  // Compares texts in the order of code points, which UTF-16 units do not have.
  function comparePoints(one, other) {
    let n = 0;
    while (n < one.length && one[n] === other[n]) n += 1;
    return (one.codePointAt(n) ?? -1) - (other.codePointAt(n) ?? -1);
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
    site: () => byText("site"),
    language: () => byText("language"),
  };

  const ordered = (problems, sort) => [...problems].sort(ORDERS[sort]());

  // ---- problems and their files

  const NO_SITE = "no site";
  const hosts = new Map(); // of origins

  const hostOf = (origin) =>
    URL.canParse(origin) ? new URL(origin).hostname.replace(/^www\./u, "") : NO_SITE;

  // Returns the host of the problem's URL, without `www.`, or NO_SITE.
  function siteOf({ problemUrl, githubUrl }) {
    const [origin] = /^https:\/\/[^/]+/iu.exec(problemUrl) ?? [];
    if (origin === undefined || problemUrl === githubUrl) return NO_SITE;
    if (!hosts.has(origin)) hosts.set(origin, hostOf(origin));
    return hosts.get(origin);
  }

  // Returns the day on which a problem was solved, or null: that of its earliest file, or that in UTC
  // where only that has contributions, as sitedata.views.calendar.solved_on.
  function solvedOn(files, active) {
    const { time } = files.findLast((each) => each.time !== null) ?? { time: null };
    if (time === null || active.size === 0) return time && time.day;
    const inUtc = write(Math.floor(time.ms / DAY_MS));
    return active.has(inUtc) && !active.has(time.day) ? inUtc : time.day;
  }

  // Returns text in NFKC, with one space between words.
  const plain = (text) =>
    text.normalize("NFKC").replace(/\s+/gu, " ").replace(/^ | $/gu, "");

  // Returns what the files of one problem share: their https URL; where that is the file's own,
  // their folder and title.
  function keyOf(entry) {
    const { problemUrl, githubUrl, path, title } = entry;
    if (problemUrl === githubUrl) return `${path.slice(0, path.lastIndexOf("/") + 1)}\n${plain(title)}`;
    return problemUrl.startsWith("https://") ? problemUrl : entry;
  }

  // Returns the problems of the entries of a file, the newest first, which names and dates them.
  function merge(entries, active = new Set()) {
    const found = new Map();
    for (const each of ordered(entries, "newest")) {
      const key = keyOf(each);
      if (found.has(key)) found.get(key).push(each);
      else found.set(key, [each]);
    }
    return [...found.values()].map((files) => {
      const names = (name) => [...new Set(files.map((each) => plain(each[name])))].sort(comparePoints);
      const site = siteOf(files[0]);
      return {
        ...files[0], files, site, solved: solvedOn(files, active), sites: [site],
        platforms: names("platform"), languages: names("language"),
      };
    });
  }

  // ---- filters

  const fold = (text) => plain(plain(text).toUpperCase().toLowerCase());

  // Returns the merged problems with the text in which `select` searches.
  const prepare = (problems) =>
    problems.map((each) => {
      const texts = each.files.map(({ title, path, platform, language }) =>
        [title, path, platform, language].join(" "));
      return {
        ...each,
        folded: fold([...texts, each.site].join(" ")),
        foldedTitle: fold(each.title),
      };
    });

  // Returns what follows the number of a problem; the title itself where it begins with none.
  function withoutNumber(title) {
    for (const mark of [". ", " - "]) {
      const at = title.indexOf(mark);
      const name = title.slice(at + mark.length);
      if (at > 0 && name !== "" && /[0-9]/u.test(title.slice(0, at))) return name;
    }
    return title;
  }

  // Returns the prepared problems that pass a filter, in their order; an exact title comes first,
  // then the same after a number.  Each word of its text must be in title, path, platform, site or language, in any case.  Days are
  // those on which problems were solved.
  function select(problems, { text, platform, site, language, since, until }) {
    const words = fold(text).split(" ").filter((word) => word !== "");
    const title = fold(text);
    const found = problems.filter(
      (each) =>
        (platform === null || each.platforms.includes(plain(platform)))
        && (site === null || each.site === site)
        && (language === null || each.languages.includes(plain(language)))
        && (since === null || (each.solved !== null && each.solved >= since))
        && (until === null || (each.solved !== null && each.solved <= until))
        && words.every((word) => each.folded.includes(word)),
    );
    if (title === "") return found;
    const rank = ({ foldedTitle }) =>
      (foldedTitle !== title) + (foldedTitle !== title && withoutNumber(foldedTitle) !== title);
    return found.sort((a, b) => rank(a) - rank(b));
  }

  // Returns pairs of name and number of merged problems, the largest first, equal numbers by name;
  // `list` is the member with the names of a problem.
  function ranked(problems, list) {
    const counts = new Map();
    for (const each of problems) {
      for (const name of each[list]) counts.set(name, (counts.get(name) ?? 0) + 1);
    }
    return [...counts].sort(([a, one], [b, other]) => other - one || comparePoints(a, b));
  }

  // ---- fragments

  // Returns the filter in a fragment or a query; what it does not know is ignored.
  function readFragment(fragment) {
    const given = new URLSearchParams(fragment.replace(/^[#?]/u, ""));
    const day = (name) => (read(given.get(name) ?? "") === null ? null : given.get(name));
    const sort = given.get("sort");
    return {
      text: (given.get("q") ?? "").slice(0, MAX_TEXT),
      platform: given.get("platform"),
      site: given.get("site"),
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

  return { EMPTY, fold, merge, ordered, prepare, ranked, readFragment, select, writeFragment };
})();

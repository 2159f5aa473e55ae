// The practice page: loads the file that the document names, and filters the list of its problems.
(() => {
  const {
    byId, counted, createElement, formatNumber: number, setOptionalText, setText, setVisible, showNotice,
  } = page;

  const ROWS = 50; // of the list, at a time
  const MAX_OPTIONS = 500; // of a choice
  const MAX_NAME = 80; // code points
  const MAX_TITLE = 300;
  const ADDRESS_MS = 300; // after the last change, the address follows

  const labelOf = (name) => (name.trim() === "" ? "(no name)" : cut(name, MAX_NAME));

  const names = JSON.parse(byId("filters")?.dataset.names ?? "{}"); // platform to its name
  const platformLabel = (id) => labelOf(Object.hasOwn(names, id) ? names[id] : id);
  const labelBy = (name) => (name === "platform" ? platformLabel : labelOf);

  function cut(text, length) {
    const points = [...text];
    return points.length <= length ? text : `${points.slice(0, length).join("")}…`;
  }

  // Checks whether a text is an absolute https URL.
  const isSecure = (text) => /^https:\/\//iu.test(text) && URL.canParse(text);

  // ---- the list; its rows are those of sitedata.views.practice

  function linkOr(text, url, label) {
    const content = createElement("bdi", "", text);
    if (!isSecure(url)) return content;
    return createElement("a", { href: url, rel: "noopener noreferrer", ariaLabel: label }, content);
  }

  // Returns the languages of a problem; of several files, each is a link to its file, and further
  // ones of one language are numbers.
  function languagesOf({ files, language }, name) {
    if (files.length === 1) return [labelOf(language)];
    const counted = new Map();
    return files.flatMap((file, n) => {
      const count = (counted.get(file.language) ?? 0) + 1;
      counted.set(file.language, count);
      const label = `${file.language} source of ${name}: ${file.path}`;
      const link = linkOr(count === 1 ? labelOf(file.language) : String(count), file.githubUrl, label);
      return n === 0 ? [link] : [", ", link];
    });
  }

  // Returns the row of a problem; where `isByDay`, it also says when it was solved, if not on its date.
  function row(problem, by, isByDay) {
    const { title, path, files, problemUrl, githubUrl, time, solved, submittedAt } = problem;
    const name = cut(title.trim() === "" ? path : title, MAX_TITLE);
    const date = createElement("span", "date");
    if (time === null) {
      date.append("date unknown");
    } else {
      const instant = { dateTime: submittedAt, title: submittedAt };
      date.append(createElement("time", instant, days.short(time.day)));
      if (isByDay && solved !== time.day) date.append(" ", createElement("small", "", `(solved ${days.short(solved)})`));
    }
    const source = createElement("span", "source");
    if (files.length === 1 && isSecure(githubUrl)) source.append(linkOr("Source", githubUrl, `Source of ${name}`));
    return createElement(
      "li", "row",
      createElement("span", "title", linkOr(name, problemUrl)),
      createElement("bdi", "platform", by === "site" ? problem.site : problem.platforms.map(platformLabel).join(", ")),
      createElement("bdi", "language", ...languagesOf(problem, name)),
      date, source,
    );
  }

  function foundText({ found, problems, filter }) {
    const undated = found.filter(({ time }) => time === null).length;
    const all = counted(problems.length, "problem");
    const count = found.length === problems.length ? all : `${number(found.length)} of ${all}`;
    const isByTime = filter.sort === "newest" || filter.sort === "oldest";
    return undated > 0 && isByTime && undated < found.length
      ? `${count}; ${number(undated)} without a date at the end`
      : count;
  }

  function drawRows(shown) {
    const { found, rowCount } = shown;
    const list = byId("rows");
    const visible = found.slice(list.children.length, rowCount);
    list.append(...visible.map((each) => row(each, shown.by, filterSpan(shown.filter) !== "")));
    const left = found.length - list.children.length;
    setVisible("more", left > 0);
    setText("more", `Show ${number(Math.min(ROWS, left))} more of ${number(left)}`);
    setOptionalText("rest", left > 0 ? `${number(left)} more in the JSON file` : ""); // on paper
  }

  // ---- filters

  function spanName(since, until) {
    if (since === until) return days.short(since);
    if (since.slice(0, 7) === until.slice(0, 7)) return days.monthAndYear(since);
    const [start, end] = [since.slice(0, 4), until.slice(0, 4)];
    if (since.endsWith("-01-01") && until.endsWith("-12-31")) {
      return start === end ? start : `${start} to ${end}`;
    }
    return `${days.short(since)} to ${days.short(until)}`;
  }

  // Returns the text of the time span of a filter; it is empty for none.
  function filterSpan({ since, until }) {
    if (since !== null && until !== null) return spanName(since, until);
    if (since !== null) return `since ${days.short(since)}`;
    return until === null ? "" : `until ${days.short(until)}`;
  }

  // Returns the choices of the page: id of the element, name in the filter, names with their counts.
  const choices = ({ by, groups, languages }) =>
    [["platform", by, groups], ["language", "language", languages]];

  const isFiltered = ({ filter }) => listing.writeFragment({ ...filter, sort: listing.EMPTY.sort }) !== "";

  // Applies the filter: what is found, the state of the form and of the charts.
  function apply(shown) {
    const { filter } = shown;
    shown.orders[filter.sort] ??= listing.ordered(shown.problems, filter.sort);
    shown.found = listing.select(shown.orders[filter.sort], filter);
    shown.rowCount = ROWS;
    byId("rows").replaceChildren();
    drawRows(shown);
    setText("found", foundText(shown));
    showNotice("nothing", shown.found.length > 0 ? null : {
      kind: "empty",
      title: "No problem matches these filters",
      text: "Search for fewer words, or see all problems.",
      link: { label: "Clear filters", url: "#" },
    });
    for (const link of byId("nothing").querySelectorAll("a")) link.onclick = (event) => clear(shown, event);
    mark(shown);
  }

  // Shows the filter in the form and in the charts.
  function mark(shown) {
    const { filter } = shown;
    if (byId("text").value !== filter.text) byId("text").value = filter.text;
    byId("sort").value = filter.sort;
    for (const [id, name, ranked] of choices(shown)) {
      selectOption(byId(id), filter[name], ranked, labelBy(name));
      if (shown.isSame && byId(`${id}s`)) linkBars(byId(`${id}s`), filter, name, ranked);
    }
    const chosen = shown.choosers.flatMap((choose) => choose(filter.since, filter.until) ?? []);
    // A day that is not in the calendar in view is shown in that of its year.
    if (!chosen.some((each) => each.checkVisibility())) chosen[0]?.closest(".year").querySelector("input").click();
    const span = filterSpan(filter);
    setOptionalText("span", span === "" ? "" : `${span} ×`);
    byId("span").setAttribute("aria-label", `${span}: remove this filter`);
    // Where nothing is found, the notice has the link.
    setVisible("clear", isFiltered(shown) && shown.found.length > 0);
  }

  // Makes each bar a link that adds its name to the filter, or takes it away.
  function linkBars(container, filter, name, ranked) {
    for (const bar of container.querySelectorAll(".bar-row")) {
      const [value] = ranked[bar.dataset.item];
      const isPicked = value === filter[name];
      bar.setAttribute("aria-current", isPicked);
      if (isPicked) bar.closest("details")?.setAttribute("open", "");
      bar.href = `#${listing.writeFragment({ ...filter, [name]: isPicked ? null : value }) || "q="}`;
    }
  }

  function fillOptions(select, ranked, toLabel) {
    const options = ranked.slice(0, MAX_OPTIONS).map(([name, count], n) =>
      new Option(`${toLabel(name)} (${number(count)})`, n));
    select.replaceChildren(select.options[0], ...options);
  }

  // Selects a name; one that has no option gets one.
  function selectOption(select, name, ranked, toLabel) {
    select.querySelector("[value=other]")?.remove();
    const index = ranked.slice(0, MAX_OPTIONS).findIndex(([each]) => each === name);
    if (name !== null && index === -1) select.append(new Option(toLabel(name), "other"));
    select.value = name === null ? "" : index === -1 ? "other" : String(index);
  }

  let addressTimer = 0;

  function change(shown, members) {
    shown.filter = { ...shown.filter, ...members };
    apply(shown);
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      const fragment = listing.writeFragment(shown.filter);
      history.replaceState(null, "", fragment === "" ? location.pathname : `${location.pathname}#${fragment}`);
    }, ADDRESS_MS);
  }

  function clear(shown, event) {
    event.preventDefault();
    change(shown, { ...listing.EMPTY, sort: shown.filter.sort });
    byId("text").focus();
  }

  // Shows the top of the list, if it is not visible.
  function reveal() {
    const list = byId("problems");
    const { top } = list.getBoundingClientRect();
    if (top >= 0 && top <= innerHeight * 0.7) return;
    list.scrollIntoView();
    list.focus({ preventScroll: true });
  }

  function pickSpan(shown, since, until) {
    history.pushState(null, ""); // Back leads to where the day is
    const isChosen = shown.filter.since === since && shown.filter.until === until;
    change(shown, isChosen ? { since: null, until: null } : { since, until });
    reveal();
  }

  // Returns the filter of the address: its fragment, or its query.  A fragment without `=` is the
  // target of a link inside the page.
  const address = () => (location.hash.includes("=") ? location.hash : location.search);

  // Reads the filter of the address; a name may be the shown one, and in any case.
  function readAddress(shown) {
    shown.filter = listing.readFragment(address());
    for (const name of ["platform", "site", "language"]) {
      const given = shown.filter[name];
      if (given === null) continue;
      const known = listing.ranked(shown.problems, `${name}s`).map(([each]) => each);
      const isGiven = (each) => [each, labelBy(name)(each)].some((text) => listing.fold(text) === listing.fold(given));
      if (!known.includes(given)) shown.filter[name] = known.find(isGiven) ?? given;
    }
  }

  function followAddress(shown) {
    if (location.hash.length > 1 && address() !== location.hash) return;
    clearTimeout(addressTimer);
    readAddress(shown);
    apply(shown);
  }

  // ---- the page

  function connectCharts(shown) {
    const pick = (since, until) => pickSpan(shown, since, until);
    shown.choosers = [...document.querySelectorAll(".weeks")].map((grid) =>
      charts.connectDays(grid, grid.parentElement.querySelector(".below .detail"), pick));
    if (byId("columns")) shown.choosers.push(charts.connectColumns(byId("columns"), byId("column"), pick));
    byId("counts").onclick = ({ target }) => {
      // Back leads to where the bar is: the address changes before the place.
      if (target.closest(".bar-row")) addEventListener("hashchange", reveal, { once: true });
    };
  }

  function connectForm(shown) {
    byId("text").oninput = ({ target }) => change(shown, { text: target.value });
    byId("sort").onchange = ({ target }) => change(shown, { sort: target.value });
    for (const [id, name, ranked] of choices(shown)) {
      fillOptions(byId(id), ranked, labelBy(name));
      byId(id).onchange = ({ target: { value } }) => {
        if (value !== "other") {
          change(shown, { [name]: value === "" ? null : ranked[Number(value)][0] });
        }
      };
    }
    byId("span").onclick = () => {
      change(shown, { since: null, until: null });
      byId("text").focus();
    };
    byId("clear").onclick = (event) => clear(shown, event);
    byId("more").onclick = () => {
      const first = byId("rows").children.length;
      shown.rowCount += ROWS;
      drawRows(shown);
      byId("rows").children[first].querySelector("a")?.focus();
    };
    onpopstate = () => followAddress(shown);
  }

  // Uses the snapshot: the list is that of the file, the charts are those of the document.
  function use(snapshot) {
    const problems = listing.prepare(listing.merge(snapshot.problems, snapshot.active));
    const by = byId("filters").dataset.by;
    const isSame = Date.parse(byId("generated").dateTime) === snapshot.generatedAt;
    const shown = {
      isSame,
      problems,
      by,
      groups: listing.ranked(problems, `${by}s`),
      languages: listing.ranked(problems, "languages"),
      orders: { newest: problems },
      found: problems,
      rowCount: ROWS,
      choosers: [], // one for each chart
    };
    readAddress(shown);
    showNotice("notice", isSame ? null : {
      kind: "failed",
      title: "The data file is not that of this page",
      text: "The list is that of the file; totals, calendar and bars are those of the page."
        + " Reload it; if that does not help, its owner has to write the page again.",
    });
    const typed = byId("text").value; // before the file was there
    connectForm(shown);
    if (isSame) connectCharts(shown);
    // The list of the document is that of the empty filter, as long as the file is the same.
    if (address().includes("=") || !isSame) apply(shown);
    else mark(shown);
    if (typed !== "") change(shown, { text: typed });
    else if (isFiltered(shown) && scrollY === 0) reveal(); // else the browser has restored a place
    document.documentElement.dataset.state = "ready";
  }

  async function start(cache = "default") {
    byId("text").oninput = () => setText("found", "The problems are being read…");
    try {
      use(await loading.load(cache));
      setVisible("filters", true);
    } catch (error) {
      if (!(error instanceof loading.LoadError)) throw error;
      setVisible("filters", false);
      const isDisk = location.protocol === "file:";
      showNotice("notice", {
        kind: "failed",
        title: error.message,
        text: error.remedy,
        link: isDisk ? undefined : { label: "The data file", url: byId("source").href },
        retry: isDisk ? undefined : () => start("reload"),
      });
    }
  }

  if (byId("filters") !== null) {
    byId("filters").onsubmit = (event) => event.preventDefault();
    start();
  }
})();

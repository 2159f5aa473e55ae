// The practice page: loads the file that the document names, and draws it.
(() => {
  const {
    byId, createElement, formatDay, formatMinute, formatPercent, LANGUAGE, setOptionalText,
    setText, setVisible,
  } = page;

  const ROWS = 50; // of the list, at a time
  const MAX_OPTIONS = 500; // of a choice
  const MAX_TITLE = 300; // UTF-16 units
  const RECENT_MS = 48 * 3_600_000; // a snapshot of this age still speaks of "this week"
  const ADDRESS_MS = 300; // after the last change, the address follows

  const number = (count) => count.toLocaleString(LANGUAGE);
  const plural = (count, thing) => `${number(count)} ${thing}${count === 1 ? "" : "s"}`;
  const labelOf = (name) => (name.trim() === "" ? "(no name)" : cut(name, 80));

  function cut(text, length) {
    if (text.length <= length) return text;
    return `${text.slice(0, length).replace(/[\ud800-\udbff]$/u, "")}…`;
  }

  function parseUrl(text) {
    try {
      return new URL(text);
    } catch {
      return null; // relative, or no URL
    }
  }

  // Returns an absolute https URL, or null for all other text.
  function secureUrl(text) {
    const url = parseUrl(text);
    return url?.protocol === "https:" ? url.href : null;
  }

  // ---- loading

  async function start(cache = "default") {
    setVisible("retry", false);
    setText("notice-text", "Loading the problems…");
    setVisible("notice", true);
    try {
      const snapshot = await loading.load(cache);
      draw(snapshot);
      setText("notice-text", "No problems are published yet.");
      setVisible("notice", snapshot.problems.length === 0);
    } catch (error) {
      if (!(error instanceof loading.LoadError)) throw error;
      setText("notice-text", error.message);
      setVisible("retry", location.protocol !== "file:");
    }
  }

  // ---- totals

  function card(name, value, detail) {
    return createElement(
      "div", "card",
      createElement("h2", "", name),
      createElement("p", "value", value),
      createElement("p", "detail", detail),
    );
  }

  const sum = (counts) => [...counts].reduce((total, count) => total + count, 0);

  function spanText(first, last) {
    const [from, to] = [days.monthAndYear(first), days.monthAndYear(last)];
    return from === to ? from : `${from} to ${to}`;
  }

  function share(count, total) {
    if (count === total) return 100;
    return charts.clamp(1, Math.round((100 * count) / total), 99);
  }

  // Returns the problems of the week of the file, or the day of the last problem before it.
  function weekCard({ solved, until, isRecent }) {
    const monday = days.mondayOf(until);
    const counts = [...solved].filter(([day]) => monday <= day && day <= until);
    const total = sum(counts.map(([, count]) => count));
    const name = isRecent ? "This week" : `Week of ${days.short(monday)}`;
    const last = Math.max(...solved.keys());
    if (total === 0 && last < monday) return card("Last solved", days.short(last), `as of ${days.short(until)}`);
    return card(name, number(total), total === 0 ? "" : `on ${plural(counts.length, "day")}`);
  }

  // Returns the current streak, or the longest one where none is current.
  function streakCard({ until, isRecent }, streaks) {
    const now = calendar.current(streaks, until)?.length ?? 0;
    const { length, last } = calendar.longest(streaks);
    if (now === 0) return card("Longest streak", plural(length, "day"), `to ${days.short(last)}`);
    const name = isRecent ? "Streak" : `Streak on ${days.short(until)}`;
    return card(name, plural(now, "day"), `longest ${plural(length, "day")}`);
  }

  function drawTotals(shown) {
    const { problems, solved, languages, groups, all, by } = shown;
    const dated = [...solved.keys()].sort((a, b) => a - b);
    const cards = [
      card("Solved", number(problems.length), dated.length === 0 ? "" : spanText(dated[0], dated.at(-1))),
    ];
    if (dated.length > 0) cards.push(weekCard(shown));
    const streaks = calendar.streaks(all);
    if (streaks.length > 0) cards.push(streakCard(shown, streaks));
    if (languages.length > 0) {
      const [[name, count]] = languages;
      const first = `${labelOf(name)} ${formatPercent(share(count, problems.length))}`;
      cards.push(card("Languages", number(languages.length), createElement("bdi", "", first)));
    }
    if (cards.length < 4 && groups.length > 0) {
      cards.push(card(by === "site" ? "Sites" : "Platforms", number(groups.length), ""));
    }
    byId("totals").replaceChildren(...cards);
  }

  // ---- charts

  function dayText({ all, solved, unit }, day) {
    const count = all.counts.get(day) ?? 0;
    const problems = solved.get(day) ?? 0;
    const parts = [plural(count, unit)];
    if (unit !== "problem" && problems > 0) parts.push(`${plural(problems, "problem")} solved`);
    return `${days.long(day)}: ${count === 0 && problems === 0 ? "nothing" : parts.join(", ")}`;
  }

  function drawLegend({ unit }, { scale }) {
    const ranges = [[0, "none"]];
    let low = 1;
    for (const [level, high] of scale) {
      const isLast = ranges.length === scale.size;
      const upTo = isLast ? " or more" : `–${number(high)}`;
      ranges.push([level, `${number(low)}${low === high ? "" : upTo}`]);
      low = high + 1;
    }
    const items = ranges.map(([level, text]) => {
      const square = createElement("span", "day");
      square.dataset.level = level;
      return createElement("li", "", square, text);
    });
    byId("legend").replaceChildren(...items);
    byId("legend").setAttribute("aria-label", `${unit === "problem" ? "Problems" : "Contributions"} of a day`);
  }

  function drawCalendar(shown) {
    const width = byId("calendar").querySelector(".calendar").clientWidth;
    const weeks = charts.weeksIn(width);
    if (weeks === shown.weeks) return;
    shown.weeks = weeks;
    const heat = calendar.heat(shown.all, weeks);
    const year = sum(calendar.heat(shown.all, 53).counts.values());
    const name = weeks === 53 ? `${plural(year, shown.unit)} in twelve months`
      : `${plural(sum(heat.counts.values()), shown.unit)} in ${weeks} weeks, ${number(year)} in twelve months`;
    const end = heat.last === shown.until ? "" : ` to ${days.short(heat.last)}`;
    setText("calendar-name", name + end);
    charts.drawCalendar(
      { months: byId("months"), grid: byId("days") }, heat, weeks, (day) => dayText(shown, day),
      {
        show: (day) => setText("day", day === null ? "" : dayText(shown, day)),
        pick: (day) => {
          if (shown.solved.has(day)) pickSpan(shown, day, day);
        },
      },
    );
    drawLegend(shown, heat);
  }

  function spanName({ first, last }) {
    if (first === last) return days.short(first);
    const [from, to] = [days.write(first), days.write(last)];
    if (from.slice(0, 7) === to.slice(0, 7)) return days.monthAndYear(first);
    const [start, end] = [from.slice(0, 4), to.slice(0, 4)];
    if (from.endsWith("-01-01") && to.endsWith("-12-31")) {
      return start === end ? start : `${start} to ${end}`;
    }
    return `${days.short(first)} to ${days.short(last)}`;
  }

  // Returns the text of the time span of a filter; it is empty for none.
  function filterSpan({ since, until }) {
    const [first, last] = [days.read(since ?? ""), days.read(until ?? "")];
    if (first !== null && last !== null) return spanName({ first, last });
    if (first !== null) return `since ${days.short(first)}`;
    return last === null ? "" : `until ${days.short(last)}`;
  }

  // Names the starts of years; of quarters too where there are few columns, each of the fewest.
  function drawSpanNames(spans) {
    const months = spans.length > 24 ? 12 : spans.length > 8 ? 3 : 1;
    const step = spans[0].months * months;
    const labels = [];
    spans.forEach(({ first }, n) => {
      const [year, month] = days.write(first).split("-").map(Number);
      const isYear = month === 1;
      const isNamed = isYear || (step <= 3 && (month - 1) % step === 0) || n === 0;
      const room = spans.length / 8; // of a name, in columns
      const isClose = labels.length > 0 && n - labels.at(-1).n < room;
      if (!isNamed || n + room > spans.length) return;
      if (isClose && labels.at(-1).isYear) return;
      if (isClose) labels.pop();
      labels.push({ n, isYear, text: isYear || step > 3 ? String(year).padStart(4, "0") : days.monthName(first) });
    });
    byId("names").replaceChildren(...labels.map(({ n, text }) => {
      const label = createElement("span", "", text);
      label.style.insetInlineStart = `${(100 * n) / spans.length}%`;
      return label;
    }));
  }

  function drawTime(shown) {
    const { spans } = shown;
    setVisible("time", spans.length > 1);
    if (spans.length < 2) return;
    const unit = { 1: "month", 12: "year" }[spans[0].months] ?? `${spans[0].months / 12} years`;
    setText("time-name", `Solved by ${unit}`);
    const describe = (span) => `${spanName(span)}: ${plural(span.count, "problem")}`;
    const most = spans.reduce((best, each) => (each.count > best.count ? each : best));
    const show = (span) => setText("column", span === null ? `Most in ${describe(most)}` : describe(span));
    show(null);
    charts.drawColumns(byId("columns"), spans, describe, {
      show,
      pick: (span) => {
        if (span.count > 0) pickSpan(shown, span.first, span.last);
      },
    });
    drawSpanNames(spans);
  }

  // Returns the choices of the page: id of the element, name in the filter, names with their counts.
  const choices = ({ by, groups, languages }) =>
    [["platform", by, groups], ["language", "language", languages]];

  // Names the groups in the page, which speaks of platforms, if they are sites.
  function nameGroups({ by }) {
    if (by !== "site") return;
    setText("platforms-name", "Sites");
    byId("platform").setAttribute("aria-label", "Site");
    byId("text").placeholder = "Search title, site or language";
    byId("by-group").value = by;
    byId("by-group").textContent = "By site";
  }

  function drawCounts(shown) {
    setVisible("counts", shown.problems.length > 0);
    for (const [id, name, ranked] of choices(shown)) {
      charts.drawBars(byId(`${id}s`), ranked, labelOf, (value) => {
        change(shown, { [name]: shown.filter[name] === value ? null : value });
        reveal();
      });
    }
  }

  // ---- the list

  function linkOr(text, url, label) {
    const content = createElement("bdi", "", text);
    if (url === null) return content;
    const link = createElement("a", "", content);
    link.href = url;
    link.rel = "noopener noreferrer";
    if (label !== undefined) link.setAttribute("aria-label", label);
    return link;
  }

  // Returns the languages of a problem; of several files, each is a link to its file.
  function languagesOf({ files, language }, name) {
    if (files.length === 1) return [labelOf(language)];
    return files.flatMap((file, n) => {
      const label = `${file.language} source of ${name}: ${file.path}`;
      const link = linkOr(labelOf(file.language), secureUrl(file.githubUrl), label);
      return n === 0 ? [link] : [", ", link];
    });
  }

  function row(problem, by) {
    const { title, path, files, problemUrl, githubUrl, time, submittedAt } = problem;
    const name = cut(title.trim() === "" ? path : title, MAX_TITLE);
    const date = createElement("span", "date");
    if (time === null) {
      date.append("date unknown");
    } else {
      const text = createElement("time", "", days.short(days.read(time.day)));
      text.dateTime = text.title = submittedAt;
      date.append(text);
    }
    const source = createElement("span", "source");
    const url = secureUrl(githubUrl);
    if (url !== null && files.length === 1) {
      source.append(linkOr("Source", url, `Source of ${name}`));
    }
    return createElement(
      "li", "row",
      createElement("span", "title", linkOr(name, secureUrl(problemUrl))),
      createElement("bdi", "platform", problem[`${by}s`].map(labelOf).join(", ")),
      createElement("bdi", "language", ...languagesOf(problem, name)),
      date, source,
    );
  }

  function foundText({ found, problems, filter }) {
    const undated = found.filter(({ time }) => time === null).length;
    const all = plural(problems.length, "problem");
    const count = found.length === problems.length ? all : `${number(found.length)} of ${all}`;
    const isByTime = filter.sort === "newest" || filter.sort === "oldest";
    return undated > 0 && isByTime && undated < found.length
      ? `${count}, ${number(undated)} without a known date last`
      : count;
  }

  function drawRows(shown) {
    const { found, rowCount } = shown;
    const list = byId("rows");
    const visible = found.slice(list.children.length, rowCount);
    list.append(...visible.map((each) => row(each, shown.by)));
    const left = found.length - list.children.length;
    setVisible("more", left > 0);
    setText("more", `Show ${number(Math.min(ROWS, left))} more of ${number(left)}`);
  }

  function isSpanPicked({ filter }, { first, last }) {
    return filter.since === days.write(first) && filter.until === days.write(last);
  }

  // Applies the filter: what is found, the state of the form and of the charts.
  function apply(shown) {
    const { filter } = shown;
    shown.orders[filter.sort] ??= listing.ordered(shown.problems, filter.sort);
    shown.found = listing.select(shown.orders[filter.sort], filter);
    shown.rowCount = ROWS;
    byId("rows").replaceChildren();
    drawRows(shown);
    setText("found", foundText(shown));
    if (byId("text").value !== filter.text) byId("text").value = filter.text;
    byId("sort").value = filter.sort;
    for (const [id, name, ranked] of choices(shown)) {
      selectOption(byId(id), filter[name], ranked);
      charts.markBar(byId(`${id}s`), filter[name]);
    }
    charts.markPicked(byId("columns"), shown.spans, (span) => isSpanPicked(shown, span));
    const span = filterSpan(filter);
    setOptionalText("span", span === "" ? "" : `${span} ×`);
    byId("span").setAttribute("aria-label", `${span}: remove this filter`);
    setVisible("clear", listing.writeFragment({ ...filter, sort: listing.EMPTY.sort }) !== "");
  }

  function fillOptions(select, ranked, all) {
    const options = ranked.slice(0, MAX_OPTIONS).map(([name, count], n) =>
      new Option(`${labelOf(name)} (${number(count)})`, n));
    select.replaceChildren(new Option(all, ""), ...options);
  }

  // Selects a name; one that has no option gets one.
  function selectOption(select, name, ranked) {
    select.querySelector("[value=other]")?.remove();
    const index = ranked.slice(0, MAX_OPTIONS).findIndex(([each]) => each === name);
    if (name !== null && index === -1) select.append(new Option(labelOf(name), "other"));
    select.value = name === null ? "" : index === -1 ? "other" : String(index);
  }

  let addressTimer = 0;

  function writeAddress(filter) {
    clearTimeout(addressTimer);
    addressTimer = setTimeout(() => {
      const fragment = listing.writeFragment(filter);
      const url = fragment === "" ? location.pathname + location.search : `#${fragment}`;
      history.replaceState(null, "", url);
    }, ADDRESS_MS);
  }

  function change(shown, members) {
    shown.filter = { ...shown.filter, ...members };
    apply(shown);
    writeAddress(shown.filter);
  }

  // Shows the top of the list, if it is not visible.
  function reveal() {
    const { top } = byId("problems").getBoundingClientRect();
    if (top < 0 || top > innerHeight * 0.7) byId("problems").scrollIntoView();
  }

  function pickSpan(shown, first, last) {
    const span = { since: days.write(first), until: days.write(last) };
    change(shown, isSpanPicked(shown, { first, last }) ? { since: null, until: null } : span);
    reveal();
  }

  // A fragment without `=` is the target of a link inside the page.
  function followAddress(shown) {
    const fragment = location.hash;
    if (fragment.length > 1 && !fragment.includes("=")) return;
    shown.filter = listing.readFragment(fragment);
    apply(shown);
  }

  function connect(shown) {
    byId("filters").onsubmit = (event) => event.preventDefault();
    byId("text").oninput = ({ target }) => change(shown, { text: target.value });
    byId("sort").onchange = ({ target }) => change(shown, { sort: target.value });
    for (const [id, name, ranked] of choices(shown)) {
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
    byId("clear").onclick = () => {
      change(shown, { ...listing.EMPTY, sort: shown.filter.sort });
      byId("text").focus();
    };
    byId("more").onclick = () => {
      const first = byId("rows").children.length;
      shown.rowCount += ROWS;
      drawRows(shown);
      byId("rows").children[first].querySelector("a")?.focus();
    };
    onhashchange = () => followAddress(shown);
  }

  // ---- the page

  function repositoryUrl({ repository: { owner, name }, problems }) {
    const url = parseUrl(problems[0]?.githubUrl ?? "");
    const path = `/${owner}/${name}/`;
    const isBelow = url?.protocol === "https:" && url.pathname.startsWith(path);
    return isBelow ? url.origin + path.slice(0, -1) : null;
  }

  function drawFooter(snapshot, { problems, solved }) {
    const { repository, generatedAt } = snapshot;
    const built = createElement("time", "", `${formatDay(generatedAt)}, ${formatMinute(generatedAt)}`);
    built.dateTime = new Date(generatedAt).toISOString();
    const name = createElement("bdi", "", cut(`${repository.owner}/${repository.name}`, 100));
    byId("built").replaceChildren("Built from ", name, " on ", built, ".");
    const undated = problems.length - sum(solved.values());
    setText("undated", undated === 0 ? "" : `${plural(undated, "problem")} without a known date.`);
    const url = repositoryUrl(snapshot);
    setVisible("repository", url !== null);
    if (url !== null) byId("repository-link").href = url;
  }

  function draw(snapshot) {
    const { contributions, generatedAt } = snapshot;
    const problems = listing.prepare(listing.merge(snapshot.problems));
    const by = listing.groupingOf(snapshot.problems);
    const solved = calendar.countProblems(problems);
    const isCounted = contributions.some(([, count]) => count > 0);
    const all = calendar.build(isCounted ? contributions : solved, generatedAt);
    const shown = {
      problems,
      by,
      solved,
      all,
      until: all.until,
      unit: isCounted ? "contribution" : "problem",
      isRecent: Math.abs(Date.now() - generatedAt) < RECENT_MS,
      groups: listing.ranked(problems, `${by}s`),
      languages: listing.ranked(problems, "languages"),
      spans: calendar.spans(solved, calendar.lastVisible(all)),
      orders: { newest: problems },
      filter: listing.EMPTY,
    };
    drawTotals(shown);
    setVisible("calendar", all.counts.size > 0);
    if (all.counts.size > 0) {
      drawCalendar(shown);
      const redraw = () => drawCalendar(shown);
      new ResizeObserver(() => requestAnimationFrame(redraw)).observe(byId("calendar"));
    }
    drawTime(shown);
    drawCounts(shown);
    nameGroups(shown);
    drawFooter(snapshot, shown);
    setVisible("problems", problems.length > 0);
    fillOptions(byId("platform"), shown.groups, `All ${by}s`);
    fillOptions(byId("language"), shown.languages, "All languages");
    connect(shown);
    followAddress(shown);
    if (shown.found === undefined) apply(shown);
  }

  byId("retry").onclick = () => start("reload");
  start();
})();

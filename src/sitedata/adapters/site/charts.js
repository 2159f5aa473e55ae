// Draws the calendar and the bars.  Each is one stop of the Tab key; arrow keys move inside.
const charts = (() => {
  const { createElement, LANGUAGE } = page;
  const { WEEK } = days;

  const MAX_WEEKS = 53;
  const MIN_WEEKS = 8;
  const LABEL_COLUMNS = 3; // columns that the name of a month needs
  const BARS = 8; // shown at first
  const MAX_BARS = 300; // shown at all

  const listeners = new WeakMap();

  const clamp = (low, value, high) => Math.max(low, Math.min(high, value));

  // Makes one of the items reachable by Tab, and calls `show(n)` for the number of the item under the
  // pointer or with focus, `show(null)` for none, and `pick(n)` for a click or Enter.  A key leads by
  // its distance in `steps` to `move(n)`, the item of the nearest number.
  function makeRoving(container, items, first, steps, { move, show, pick }) {
    let active = first;
    const numberOf = (item) => Number(item.dataset.item);
    const itemOf = ({ target: element }) => {
      const item = element.closest("[data-item]");
      return items.includes(item) ? item : null;
    };
    const activate = (item) => {
      active.tabIndex = -1;
      item.tabIndex = 0;
      active = item;
    };
    first.tabIndex = 0;
    listeners.get(container)?.abort(); // of an earlier drawing
    const controller = new AbortController();
    listeners.set(container, controller);
    const listen = (type, listener) =>
      container.addEventListener(type, listener, { signal: controller.signal });
    listen("pointerover", (event) => {
      const item = itemOf(event);
      show(item && numberOf(item));
    });
    listen("pointerleave", () => show(container.contains(document.activeElement) ? numberOf(active) : null));
    listen("focusout", () => show(null));
    listen("focusin", (event) => {
      const item = itemOf(event);
      if (item === null) return;
      activate(item);
      show(numberOf(item));
    });
    listen("click", (event) => {
      const item = itemOf(event);
      if (item === null) return;
      show(numberOf(item)); // touch has no pointer that stays
      pick(numberOf(item));
    });
    listen("keydown", (event) => {
      const item = itemOf(event);
      if (item === null || event.altKey || event.ctrlKey || event.metaKey) return;
      const isPick = event.key === "Enter" || event.key === " ";
      if (!isPick && !Object.hasOwn(steps, event.key)) return;
      event.preventDefault(); // also keeps a button from being clicked
      if (isPick) pick(numberOf(item));
      else move(numberOf(item) + steps[event.key]).focus();
    });
  }

  // Returns how many weeks fit into a width in px.
  function weeksIn(width) {
    const [cell, gap] = width < 560 ? [9, 2] : [12, 3];
    const fitting = Math.floor((width - 36) / (cell + gap));
    return clamp(MIN_WEEKS, fitting, MAX_WEEKS);
  }

  // ---- the calendar

  function drawMonths(container, { monday, first, last }, weeks) {
    const starts = [];
    for (let week = 0; week < weeks; week += 1) {
      const day = Math.max(first, monday + week * WEEK);
      const month = days.write(Math.min(day + WEEK - 1, last)).slice(0, 7);
      if (day <= last && starts.at(-1)?.month !== month) starts.push({ month, week });
    }
    let free = weeks + 1;
    const labels = starts.reverse().flatMap(({ month, week }) => {
      if (week + LABEL_COLUMNS > free) return [];
      free = week;
      const isJanuary = month.endsWith("-01");
      const text = isJanuary ? month.slice(0, 4) : days.monthName(days.read(`${month}-01`));
      const label = createElement("span", "", text);
      label.style.gridColumnStart = week + 2;
      return [label];
    });
    container.replaceChildren(...labels.reverse());
  }

  function drawDay(heat, day, describe) {
    if (day < heat.first || day > heat.last) {
      const none = createElement("span", "none");
      none.role = "gridcell";
      return none;
    }
    const cell = createElement("span", "day");
    cell.role = "gridcell";
    cell.tabIndex = -1;
    cell.dataset.item = day;
    cell.dataset.level = heat.levels.get(day) ?? 0;
    cell.setAttribute("aria-label", describe(day));
    return cell;
  }

  // Draws the weeks of a heat; `describe(day)` is the text of a day.
  function drawCalendar({ months, grid }, heat, weeks, describe, { show, pick }) {
    grid.parentElement.style.setProperty("--weeks", weeks);
    drawMonths(months, heat, weeks);
    const cells = new Map();
    const rows = Array.from({ length: WEEK }, (_, weekday) => {
      const isNamed = weekday === 0 || weekday === 2 || weekday === 4;
      const name = createElement("span", "weekday", isNamed ? days.weekdayName(heat.monday + weekday) : "");
      name.setAttribute("aria-hidden", "true");
      const row = createElement("div", "week-days", name);
      row.role = "row";
      for (let day = heat.monday + weekday; day < heat.monday + weeks * WEEK; day += WEEK) {
        const cell = drawDay(heat, day, describe);
        if (cell.dataset.item !== undefined) cells.set(day, cell);
        row.append(cell);
      }
      return row;
    });
    grid.replaceChildren(...rows);
    const steps = {
      ArrowLeft: -WEEK, ArrowRight: WEEK, ArrowUp: -1, ArrowDown: 1,
      PageUp: -4 * WEEK, PageDown: 4 * WEEK, Home: -Infinity, End: Infinity,
    };
    makeRoving(grid, [...cells.values()], cells.get(heat.last), steps, {
      move: (day) => cells.get(clamp(heat.first, day, heat.last)), show, pick,
    });
  }

  // ---- bars

  // Draws a column for each span; `describe(span)` is its text.
  function drawColumns(container, spans, describe, { show, pick }) {
    const most = Math.max(...spans.map(({ count }) => count));
    const columns = spans.map((span, n) => {
      const bar = createElement("span", "bar");
      bar.style.height = `${(100 * span.count) / most}%`;
      const column = createElement("button", "column", bar);
      column.type = "button";
      column.tabIndex = -1;
      column.dataset.item = n;
      column.setAttribute("aria-label", describe(span));
      column.setAttribute("aria-pressed", "false");
      return column;
    });
    container.replaceChildren(...columns);
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    makeRoving(container, columns, columns.at(-1), steps, {
      move: (n) => columns[clamp(0, n, columns.length - 1)],
      show: (n) => show(n === null ? null : spans[n]),
      pick: (n) => pick(spans[n]),
    });
  }

  // Marks the columns and bars that a filter has picked.
  function markPicked(columns, spans, isPicked) {
    [...columns.children].forEach((column, n) =>
      column.setAttribute("aria-pressed", isPicked(spans[n])));
  }

  function markBar(container, name) {
    for (const button of container.querySelectorAll(".bar-row")) {
      button.setAttribute("aria-pressed", button.dataset.name === name);
    }
  }

  // Draws a bar for each of the ranked names; `label(name)` is its text.
  function drawBars(container, ranked, label, pick, limit = BARS) {
    const most = ranked[0]?.[1] ?? 1;
    const shown = ranked.slice(0, limit);
    const items = shown.map(([name, count]) => {
      const bar = createElement("span", "bar");
      bar.style.width = `${(100 * count) / most}%`;
      const button = createElement(
        "button", "bar-row",
        createElement("bdi", "name", label(name)),
        createElement("span", "track", bar),
        createElement("span", "count", count.toLocaleString(LANGUAGE)),
      );
      button.type = "button";
      button.dataset.name = name;
      button.setAttribute("aria-pressed", "false");
      button.onclick = () => pick(name);
      return createElement("li", "", button);
    });
    if (shown.length < Math.min(ranked.length, MAX_BARS)) {
      const more = Math.min(ranked.length, MAX_BARS) - limit;
      const all = createElement("button", "show-all", `Show ${more.toLocaleString(LANGUAGE)} more`);
      all.type = "button";
      all.onclick = () => {
        const picked = container.querySelector("[aria-pressed=true]")?.dataset.name ?? null;
        drawBars(container, ranked, label, pick, MAX_BARS);
        markBar(container, picked);
        container.children[limit].firstChild.focus();
      };
      items.push(createElement("li", "", all));
    }
    container.replaceChildren(...items);
  }

  return { clamp, drawBars, drawCalendar, drawColumns, markBar, markPicked, weeksIn };
})();

// Makes the days and columns of the document buttons.  The days are one stop of the Tab key,
// as the columns are; arrow keys move inside.
const charts = (() => {
  const finger = matchMedia("(pointer: coarse)"); // which is larger than a day

  // Makes one of the items reachable by Tab, and calls `pick(item)` for a click or Enter.  The text of `line`
  // is the name of the item under the pointer, with focus or chosen, or else the hint.  A key leads to
  // the item that is its distance in `steps` away.  Returns a function that sets the attribute `state`
  // of the item that is chosen from now on, and returns the item unless it already was.
  function makeRoving(container, items, steps, { state, hint, line, pick }) {
    let active = items.at(-1);
    let chosen;
    let tapped;
    const tell = (item = container.contains(document.activeElement) ? active : chosen) => {
      line.textContent = item?.getAttribute("aria-label") ?? hint;
    };
    const itemOf = ({ target }) => items.find((each) => each.contains(target));
    for (const item of items) item.setAttribute("tabindex", -1);
    active.tabIndex = 0;
    tell();
    const listen = (type, listener) => container.addEventListener(type, listener);
    listen("pointerover", (event) => tell(itemOf(event)));
    listen("pointerleave", () => tell());
    listen("focusout", () => tell());
    listen("focusin", (event) => {
      const item = itemOf(event);
      if (item === undefined) return;
      active.tabIndex = -1;
      item.tabIndex = 0;
      active = item;
      tell(item);
    });
    listen("click", (event) => {
      const item = itemOf(event);
      if (item === undefined) return;
      tell(item); // touch has no pointer that stays
      if (!finger.matches || tapped === item) pick(item);
      else if (item.matches("[data-solved], [data-since]")) line.append("; tap again to list");
      tapped = item;
    });
    listen("keydown", (event) => {
      const item = itemOf(event);
      if (item === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const isPick = event.key === "Enter" || event.key === " ";
      if (!isPick && !Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      if (isPick) pick(item);
      else items[Math.max(0, Math.min(items.indexOf(item) + steps[event.key], items.length - 1))].focus();
    });
    return (item) => {
      if (item === chosen) return undefined;
      chosen?.setAttribute(state, false);
      item?.setAttribute(state, true);
      chosen = item;
      tell();
      return item;
    };
  }

  function nameItem(item, role, text) {
    item.setAttribute("role", role);
    item.setAttribute("aria-label", text);
  }

  // Makes the calendar a grid; `pick` gets the day, twice, if it has solved problems.  Returns a
  // function that chooses the day of a span.
  function connectDays(grid, line, pick) {
    const first = days.read(grid.dataset.first);
    const items = [...grid.querySelectorAll(".day")];
    const dayOf = (item) => days.write(first + items.indexOf(item));
    grid.role = "grid";
    for (const week of grid.querySelectorAll(".week")) week.role = "row";
    for (const none of grid.querySelectorAll("i:not(.day)")) none.role = "gridcell";
    items.forEach((item, n) => {
      nameItem(item, "gridcell", item.title || `${days.short(days.write(first + n))}: nothing`);
      item.removeAttribute("title"); // the line below the calendar shows it
    });
    const steps = {
      ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1,
      PageUp: -28, PageDown: 28, Home: -Infinity, End: Infinity,
    };
    const choose = makeRoving(grid, items, steps, {
      state: "aria-selected",
      hint: `${finger.matches ? "Tap a day twice" : "Choose a day"} to list its problems`,
      line,
      pick: (item) => {
        if (item.dataset.solved !== undefined) pick(dayOf(item), dayOf(item));
      },
    });
    return (since, until) => choose(since !== null && since === until ? items[days.read(since) - first] : undefined);
  }

  // Makes the columns buttons; `pick` gets the first and the last day.  Returns a function that
  // chooses the column of a span.
  function connectColumns(container, line, pick) {
    const columns = [...container.querySelectorAll(".column")];
    container.role = "group";
    for (const column of columns) {
      nameItem(column, "button", column.querySelector("title").textContent);
      column.setAttribute("aria-pressed", false);
    }
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    // An SVG that listens to focus would be a stop itself.
    const choose = makeRoving(container.parentElement, columns, steps, {
      state: "aria-pressed",
      hint: `${finger.matches ? "Tap a bar twice" : "Choose a bar"} to list its problems`,
      line,
      pick: ({ dataset }) => pick(dataset.since, dataset.until),
    });
    return (since, until) => choose(columns.find(({ dataset }) => dataset.since === since && dataset.until === until));
  }

  return { connectColumns, connectDays };
})();

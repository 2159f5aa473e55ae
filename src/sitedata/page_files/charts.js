// Makes the days and columns of the document buttons.  The days are one stop of the Tab key,
// as the columns are; arrow keys move inside.
const charts = (() => {
  // Makes one of the items reachable by Tab, and calls `show(item)` for the item under the pointer or
  // with focus, `show(null)` for none, and `pick(item)` for a click or Enter.  A key leads to the item
  // that is its distance in `steps` away.
  function makeRoving(container, items, steps, { show, pick }) {
    let active = items.at(-1);
    const itemOf = ({ target }) => {
      const item = target.closest("[tabindex]");
      return items.includes(item) ? item : null;
    };
    const activate = (item) => {
      active.tabIndex = -1;
      item.tabIndex = 0;
      active = item;
    };
    for (const item of items) item.setAttribute("tabindex", -1);
    activate(active);
    show(null);
    const listen = (type, listener) => container.addEventListener(type, listener);
    listen("pointerover", (event) => show(itemOf(event)));
    listen("pointerleave", () => show(container.contains(document.activeElement) ? active : null));
    listen("focusout", () => show(null));
    listen("focusin", (event) => {
      const item = itemOf(event);
      if (item === null) return;
      activate(item);
      show(item);
    });
    listen("click", (event) => {
      const item = itemOf(event);
      if (item === null) return;
      show(item); // touch has no pointer that stays
      pick(item);
    });
    listen("keydown", (event) => {
      const item = itemOf(event);
      if (item === null || event.altKey || event.ctrlKey || event.metaKey) return;
      const isPick = event.key === "Enter" || event.key === " ";
      if (!isPick && !Object.hasOwn(steps, event.key)) return;
      event.preventDefault();
      if (isPick) pick(item);
      else items[Math.max(0, Math.min(items.indexOf(item) + steps[event.key], items.length - 1))].focus();
    });
  }

  function nameItem(item, role, text) {
    item.setAttribute("role", role);
    item.setAttribute("aria-label", text);
  }

  // Makes the calendar a grid; `show` gets the text of a day, `pick` a day with solved problems.
  function connectDays(grid, { show, pick }) {
    const first = days.read(grid.dataset.first);
    const items = [...grid.querySelectorAll(".day")];
    const dayOf = (item) => days.write(first + items.indexOf(item));
    grid.role = "grid";
    for (const week of grid.querySelectorAll(".week")) week.role = "row";
    for (const none of grid.querySelectorAll("i:not(.day)")) none.role = "gridcell";
    items.forEach((item, n) => {
      const nothing = `${days.short(days.write(first + n))}: nothing`;
      nameItem(item, "gridcell", item.title || nothing);
      item.removeAttribute("title"); // the line below the calendar shows it
    });
    const steps = {
      ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1,
      PageUp: -28, PageDown: 28, Home: -Infinity, End: Infinity,
    };
    makeRoving(grid, items, steps, {
      show: (item) => show(item === null ? "Choose a day to list its problems" : item.getAttribute("aria-label")),
      pick: (item) => {
        if (item.dataset.solved !== undefined) pick(dayOf(item));
      },
    });
  }

  // Makes the columns buttons; `show` gets the text of a span, `pick` its first and last day.
  function connectColumns(container, { show, pick }) {
    const columns = [...container.querySelectorAll(".column")];
    container.role = "group";
    for (const column of columns) nameItem(column, "button", column.querySelector("title").textContent);
    const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
    makeRoving(container, columns, steps, {
      show: (column) => show(column === null ? "Choose a bar to list its problems" : column.getAttribute("aria-label")),
      pick: ({ dataset }) => pick(dataset.since, dataset.until),
    });
  }

  // Marks which of the buttons inside an element a filter has picked.
  function markPicked(container, isPicked) {
    for (const button of container.querySelectorAll("[role=button]")) {
      button.setAttribute("aria-pressed", isPicked(button.dataset));
    }
  }

  return { connectColumns, connectDays, markPicked };
})();

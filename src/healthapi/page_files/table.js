// A table that sorts by a column and shows a page of its rows.
const table = (() => {
  const PAGE_ROWS = 14;

  const { createElement } = page;

  const isMissing = (value) => value === null || value === undefined || value === "";

  // Orders values; missing ones are last in both directions.
  function compare(one, other, direction) {
    if (isMissing(one) || isMissing(other)) return Number(isMissing(one)) - Number(isMissing(other));
    if (typeof one === "number" && typeof other === "number") return direction * (one - other);
    return direction * String(one).localeCompare(String(other), "en", { numeric: true });
  }

  function cell(value, column, isFirst) {
    const created = createElement(isFirst ? "th" : "td", column.isNumeric ? "number" : "");
    if (isFirst) created.scope = "row";
    if (isMissing(value)) {
      const dash = createElement("span", "", "–");
      dash.setAttribute("aria-hidden", "true");
      created.append(dash, createElement("span", "visually-hidden", text.NONE));
    } else {
      created.append(column.format?.(value) ?? plain(value));
    }
    return created;
  }

  function plain(value) {
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "number" ? text.number(value) : String(value);
  }

  // Checks whether all known values of each column are numbers, which are aligned at their end; one
  // without any is aligned as the column before it.
  function aligned(columns, rows) {
    let isNumeric = false;
    return columns.map((column, n) => {
      const known = rows.map((row) => row[column.key]).filter((value) => !isMissing(value));
      if (n > 0 && known.length > 0) isNumeric = known.every((value) => typeof value === "number");
      return { ...column, isNumeric };
    });
  }

  // All rows of a table stand on paper.
  for (const name of ["beforeprint", "afterprint"]) {
    addEventListener(name, () => {
      for (const each of document.querySelectorAll("table")) each.dispatchEvent(new Event(name));
    });
  }

  // Creates a table in a place that scrolls sideways, with buttons for sorting and paging.
  //   columns: each {key, label, format?}; rows: objects by key; the first order is that of `rows`.
  function create(caption, described, rows) {
    const columns = aligned(described, rows);
    let [sorted, start, by, direction] = [rows, 0, null, 1];
    const body = createElement("tbody", "");
    const status = createElement("p", "detail");
    status.setAttribute("role", "status");
    const heads = columns.map((column) => head(column));

    function head(column) {
      const button = createElement("button", "is-data", column.label);
      button.type = "button";
      button.addEventListener("click", () => sort(column.key));
      const created = createElement("th", column.isNumeric ? "number" : "", button);
      created.scope = "col";
      return created;
    }

    function sort(key) {
      direction = by === key ? -direction : 1;
      [by, start] = [key, 0];
      sorted = rows.toSorted((one, other) => compare(one[key], other[key], direction));
      heads.forEach((element, n) => {
        if (columns[n].key === key) element.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        else element.removeAttribute("aria-sort");
      });
      show();
    }

    function turn(label, step) {
      const button = createElement("button", "", label);
      button.type = "button";
      button.addEventListener("click", () => {
        start += step * PAGE_ROWS;
        show();
      });
      return button;
    }

    const [back, next] = [turn("Previous", -1), turn("Next", 1)];

    function show(shown = sorted.slice(start, start + PAGE_ROWS)) {
      body.replaceChildren(...shown.map((row) => createElement(
        "tr", "", ...columns.map((column, n) => cell(row[column.key], column, n === 0)),
      )));
      back.disabled = start === 0;
      next.disabled = start + PAGE_ROWS >= rows.length;
      status.textContent = `${start + 1} to ${start + shown.length} of ${text.counted(rows.length, "row")}`;
    }

    const whole = createElement(
      "table", "",
      createElement("caption", "visually-hidden", caption),
      createElement("thead", "", createElement("tr", "", ...heads)),
      body,
    );
    whole.addEventListener("beforeprint", () => show(sorted));
    whole.addEventListener("afterprint", () => show());
    const scrolled = createElement("div", "scroll", whole);
    scrolled.tabIndex = 0;
    scrolled.setAttribute("role", "region");
    scrolled.setAttribute("aria-label", caption);
    const pager = createElement("div", "pager on-screen", back, next, status);
    pager.hidden = rows.length <= PAGE_ROWS;
    show();
    return [scrolled, pager];
  }

  return { create };
})();

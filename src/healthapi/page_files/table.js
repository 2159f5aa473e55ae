// A table that sorts by a column.
const table = (() => {
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
      const dash = createElement("span", { ariaHidden: "true" }, "–");
      created.append(dash, createElement("span", "visually-hidden", text.NONE));
    } else {
      created.append(column.format?.(value) ?? plain(value, column));
    }
    return created;
  }

  function plain(value, column) {
    if (typeof value === "boolean") return value ? "yes" : "no";
    return typeof value === "number" ? text.amount(value, column) : String(value);
  }

  // Returns the columns that have a value, and whether all their known values are numbers, which are
  // aligned at their end, all with as many decimals.
  function filled(columns, rows) {
    return columns.flatMap((column, n) => {
      const known = rows.map((row) => row[column.key]).filter((value) => !isMissing(value));
      const isNumeric = n > 0 && known.every((value) => typeof value === "number");
      return known.length === 0 ? [] : [{ ...column, isNumeric, decimals: known.some((value) => value % 1) ? 1 : 0 }];
    });
  }

  // Creates a table in a place that scrolls, with buttons for sorting where there are rows to sort.
  //   columns: each {key, label, format?}; rows: objects by key; the first order is that of `rows`.
  function create(caption, described, rows) {
    const columns = filled(described, rows);
    let [by, direction] = [null, 1];
    const body = createElement("tbody", "");
    const heads = columns.map((column) => head(column));

    function head(column) {
      const button = { className: "is-data", type: "button", onclick: () => sort(column.key) };
      const scoped = { className: column.isNumeric ? "number" : "", scope: "col" };
      return createElement("th", scoped, rows.length > 1 ? createElement("button", button, column.label) : column.label);
    }

    function sort(key) {
      direction = by === key ? -direction : 1;
      by = key;
      heads.forEach((element, n) => {
        if (columns[n].key === key) element.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        else element.removeAttribute("aria-sort");
      });
      show(rows.toSorted((one, other) => compare(one[key], other[key], direction)));
    }

    function show(shown) {
      body.replaceChildren(...shown.map((row) => createElement(
        "tr", "", ...columns.map((column, n) => cell(row[column.key], column, n === 0)),
      )));
    }

    show(rows);
    const place = { className: "scroll", role: "region", ariaLabel: caption };
    return createElement("div", place, createElement(
      "table", "",
      createElement("caption", "visually-hidden", caption),
      createElement("thead", "", createElement("tr", "", ...heads)),
      body,
    ));
  }

  return { create };
})();

// Pictures as SVG: a line with its gaps, faint points under it, a ring, a bar of parts.  Plots are
// stretched to the width of their place; lines and dots keep their form.
const charts = (() => {
  const NAMESPACE = "http://www.w3.org/2000/svg";
  const [WIDTH, HEIGHT, MARGIN] = [1000, 100, 6];
  const RING_RADIUS = 54;

  function create(tag, attributes, ...children) {
    const created = document.createElementNS(NAMESPACE, tag);
    for (const [name, value] of Object.entries(attributes)) created.setAttribute(name, value);
    created.append(...children);
    return created;
  }

  const rounded = (value) => String(Math.round(value * 10) / 10);

  // Returns the path of runs of points; a single point is a line of almost no length, a dot.
  function linePath(runs, x, y) {
    const at = ({ day, value }) => `${rounded(x(day))} ${rounded(y(value))}`;
    return runs.map((run) => `M${run.map(at).join("L")}${run.length === 1 ? "h.01" : ""}`).join("");
  }

  // Returns where days and values lie; a value that never changes lies in the middle.
  function scales(points, first, last) {
    const { least, greatest } = days.extremes(points);
    const span = greatest.value - least.value;
    return {
      x: (day) => ((day - first) / (last - first)) * WIDTH,
      y: (value) => (span === 0
        ? HEIGHT / 2
        : HEIGHT - MARGIN - ((value - least.value) / span) * (HEIGHT - 2 * MARGIN)),
    };
  }

  // Draws a line through runs of points; points that stand alone are dots.
  function lines(points, x, y) {
    const runs = days.runs(points);
    return [["line", runs.filter((run) => run.length > 1)], ["dots", runs.filter((run) => run.length === 1)]]
      .filter(([, chosen]) => chosen.length > 0)
      .map(([name, chosen]) => create("path", { class: name, d: linePath(chosen, x, y) }));
  }

  const plot = (label, ...children) => create(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      ...(label === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }),
    },
    ...children,
  );

  // Draws daily values as points under the line of their means; `ticks` are days with a grid line.
  function lane(label, points, means, first, last, ticks) {
    const { x, y } = scales(points, first, last);
    const grid = ticks.map((day) => `M${rounded(x(day))} 0V${HEIGHT}`).join("");
    return plot(
      label,
      create("path", { class: "grid", d: grid }),
      create("path", { class: "points", d: linePath(points.map((point) => [point]), x, y) }),
      ...lines(means, x, y),
    );
  }

  // Draws the values of a card; the last one has a dot.
  function sparkline(points, first, last) {
    const { x, y } = scales(points, first, last);
    return plot(
      "",
      ...lines(points, x, y),
      create("path", { class: "last", d: linePath([points.slice(-1)], x, y) }),
    );
  }

  function ring(percent) {
    const circle = (name, more) => create(
      "circle", { class: name, cx: 60, cy: 60, r: RING_RADIUS, pathLength: 100, ...more },
    );
    return create(
      "svg",
      { viewBox: "0 0 120 120", "aria-hidden": "true" },
      circle("all", {}),
      // A round end would show a part of 0 as a dot.
      ...(percent > 0
        ? [circle("part", { "stroke-dasharray": `${percent} 100`, transform: "rotate(-90 60 60)" })]
        : []),
    );
  }

  // Draws parts of a whole beside each other, each {tone, amount}.
  function bar(parts) {
    const total = parts.reduce((sum, { amount }) => sum + amount, 0);
    const gap = 4;
    const space = WIDTH - gap * (parts.length - 1);
    let x = 0;
    const drawn = parts.map(({ tone, amount }) => {
      const width = (amount / total) * space;
      const created = create("rect", { class: tone, x: rounded(x), y: 0, width: rounded(width), height: HEIGHT });
      x += width + gap;
      return created;
    });
    return plot("", ...drawn);
  }

  // Draws how much of a goal is reached.
  function progress(share) {
    return plot(
      "",
      create("rect", { class: "all", width: WIDTH, height: HEIGHT }),
      create("rect", { class: "part", width: rounded(Math.min(1, share) * WIDTH), height: HEIGHT }),
    );
  }

  return { bar, lane, progress, ring, sparkline };
})();

// Pictures as SVG: a line with its gaps, points under it, a ring, a bar of parts.  Plots are
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

  // Returns where days and values lie: values beyond the ends of the scale at its edge, and where
  // both ends are equal in the middle.
  function scales([low, high], first, last) {
    const share = (value) => (Math.min(high, Math.max(low, value)) - low) / (high - low);
    return {
      x: (day) => ((day - first) / (last - first)) * WIDTH,
      y: (value) => (high === low ? HEIGHT / 2 : HEIGHT - MARGIN - share(value) * (HEIGHT - 2 * MARGIN)),
    };
  }

  const plot = (label, ...children) => create(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none",
      ...(label === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": label }),
    },
    ...children,
  );

  const line = (name, runs, x, y) => create("path", { class: name, d: linePath(runs, x, y) });
  const dots = (name, points, x, y) => line(name, points.map((point) => [point]), x, y);

  // Draws values as points under a line, over the usual range, which begins on the day `since`.  The
  // line is dashed between means that are not beside each other, but at most `reach` apart.  `open`
  // are points that are not complete, `ticks` days and `levels` values with a grid line.
  function lane(label, { points, means, reach, open, scale, usual, since, first, last, ticks, isMinor, levels }) {
    const { x, y } = scales(scale, first, last);
    const joined = days.runs(means, reach).filter((run) => run.length > 1);
    const solid = days.runs(means).filter((run) => run.length > 1);
    const start = usual && x(Math.max(since, first));
    const grid = (name, shown) => create("path", { class: name, d: shown.map((day) => `M${rounded(x(day))} 0V${HEIGHT}`).join("") });
    return plot(
      label,
      ...(usual === undefined ? [] : [create("rect", {
        class: "usual", x: rounded(start), width: rounded(WIDTH - start),
        y: rounded(y(usual[1])), height: rounded(y(usual[0]) - y(usual[1])),
      })]),
      grid("grid", ticks.filter((day) => !isMinor(day))),
      grid("grid minor", ticks.filter(isMinor)),
      create("path", { class: "grid levels", d: levels.map((value) => `M0 ${rounded(y(value))}H${WIDTH}`).join("") }),
      dots("points", points, x, y),
      line("thin", joined, x, y),
      line("line", solid, x, y),
      ...(open.length === 0 ? [] : [dots("last", open, x, y), dots("open", open, x, y)]),
    );
  }

  // Draws the values of a card; the last one has a dot, a circle where it is not complete, and
  // nothing where it `isBeyond` the scale.
  function sparkline(points, scale, first, last, isOpen, isBeyond) {
    const { x, y } = scales(scale, first, last);
    const end = isBeyond ? [] : points.slice(-1);
    const runs = days.runs(isOpen ? points.slice(0, -1) : points);
    return plot(
      "",
      line("line", runs, x, y),
      line("dots", runs.filter((run) => run.length === 1), x, y),
      dots("last", end, x, y),
      ...(isOpen && !isBeyond ? [dots("open", end, x, y)] : []),
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
      circle("part", { "stroke-dasharray": `${percent} 100`, transform: "rotate(-90 60 60)" }),
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

  return { bar, lane, ring, scales, sparkline };
})();

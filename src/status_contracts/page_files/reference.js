// API pages: addresses in examples, buttons that copy, details that a link opens, the current section.
(() => {
  const root = document.querySelector(".reference");
  const { path } = root.dataset, address = location.origin + location.pathname; // path: below the base URL
  const texts = [...root.querySelectorAll("pre > code, section > p > code")].flatMap((code) => [...code.childNodes]);

  // A request whose address is known leads to the response.
  const fill = (name, value) => {
    for (const text of texts) text.textContent = text.textContent.replaceAll(name, value);
    for (const code of root.querySelectorAll(".endpoint > p + .code code")) {
      const [, href] = /^curl .*"([^"$]+)"$/u.exec(code.textContent) ?? [];
      const link = page.createElement("a", { href }, "response");
      if (href) code.closest(".code").previousElementSibling.replaceChildren("Request, and ", link, ":");
    }
  };

  if (address.endsWith(path)) {
    root.querySelector(".intro > .code").previousElementSibling.replaceChildren("First request:");
    fill("$BASE_URL", address.slice(0, -path.length));
    for (const start of root.querySelectorAll("h3 i")) start.prepend(location.pathname.slice(0, -path.length));
  }
  if (root.textContent.includes("$PROFILE")) {
    fetch("profiles").then((answer) => answer.json())
      .then(({ data }) => data?.profiles.slice(0, 1).forEach((first) => fill("$PROFILE", first.id)))
      .then(watchSizes);
  }

  for (const code of root.querySelectorAll(".code code")) {
    const button = page.createElement("button", { className: "button copy", ariaLive: "polite" }, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch { // refused, or on http of another machine
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: copy it";
      }
      setTimeout(() => button.replaceChildren("Copy"), 2000);
    });
    code.closest(".code").prepend(button);
  }

  const contents = page.byId("contents"), links = [...contents.querySelectorAll("a")];
  contents.addEventListener("click", () => contents.hidePopover?.());
  const margin = parseFloat(getComputedStyle(root.querySelector(".endpoint")).scrollMarginTop) + 1;

  // Marks the last section that is at the top; where the page ends, the chosen or the last one.
  function markSection() {
    const top = (link) => page.byId(link.hash.slice(1)).getBoundingClientRect().top;
    const isChosen = (link) => link.hash === location.hash && top(link) > 0;
    const isAtEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 2;
    const current = isAtEnd ? links.find(isChosen) ?? links.at(-1) : links.findLast((link) => top(link) < margin);
    if (current?.ariaCurrent) return;
    for (const link of links) link.ariaCurrent = (link.autofocus = link === current) ? "true" : null; // when opened
    root.querySelector(".contents span").textContent = current?.textContent ?? "";
    (current ?? links[0]).scrollIntoView({ block: "nearest" });
  }

  function openTarget() {
    const target = page.byId(location.hash.slice(1));
    const closed = [...root.querySelectorAll("details:not([open])")].filter((part) => part.contains(target));
    for (const part of closed) part.open = true;
    if (closed.length > 0) target.scrollIntoView(); // the browser went to where it was before
    markSection();
  }

  // Only what scrolls is a stop of the keyboard.
  const sizes = new ResizeObserver((changes) => {
    for (const { target } of changes) {
      const isLong = target.scrollWidth > target.clientWidth || target.scrollHeight > target.clientHeight;
      const name = target.ariaLabel ?? target.parentElement.previousElementSibling.textContent;
      if (isLong) Object.assign(target, { tabIndex: 0, role: "group", ariaLabel: name });
      else target.removeAttribute("tabindex");
    }
  });
  function watchSizes() { // also of texts that have changed in a place that has not
    for (const place of root.querySelectorAll(".scroll, pre")) sizes.observe(place);
  }
  watchSizes();

  addEventListener("scroll", markSection, { passive: true });
  addEventListener("hashchange", openTarget);
  openTarget();
})();

// API pages: addresses in examples, buttons that copy, details that a link opens, the current section.
(() => {
  const root = document.querySelector(".reference");
  const { path } = root.dataset; // below the base URL
  const address = location.origin + location.pathname;
  const codes = root.querySelectorAll(".code code");

  function fill(name, value) {
    for (const code of codes) code.textContent = code.textContent.replaceAll(name, value);
  }

  if (address.endsWith(path)) {
    root.querySelector(".intro > .code")?.previousElementSibling.replaceChildren("Base URL:");
    fill(/BASE_URL=.+|\$BASE_URL/g, address.slice(0, -path.length));
  }
  if (root.textContent.includes("$PROFILE")) {
    fetch("profiles").then((answer) => answer.json())
      .then(({ data }) => data?.profiles.slice(0, 1).forEach((first) => fill("$PROFILE", first.id)));
  }

  for (const code of codes) {
    const button = page.createElement("button", "button copy", "Copy");
    button.ariaLive = "polite";
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

  const links = [...root.querySelectorAll(".contents a")];
  const margin = parseFloat(getComputedStyle(root.querySelector(".endpoint")).scrollMarginTop) + 1;

  // Marks the last section that is at the top; where the page ends, the chosen or the last one.
  function markSection() {
    const shown = links.filter((link) => link.checkVisibility());
    const top = (link) => page.byId(link.hash.slice(1)).getBoundingClientRect().top;
    const isChosen = (link) => link.hash === location.hash && top(link) > 0;
    const isAtEnd = scrollY + innerHeight > document.documentElement.scrollHeight - 2;
    const current = isAtEnd ? shown.find(isChosen) ?? shown.at(-1) : shown.findLast((link) => top(link) < margin);
    if (current?.ariaCurrent) return;
    for (const link of links) link.ariaCurrent = link === current ? "true" : null;
    (current ?? links[0]).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function openTarget() {
    page.byId(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
    markSection();
  }

  addEventListener("scroll", markSection, { passive: true });
  addEventListener("hashchange", openTarget);
  openTarget();
})();

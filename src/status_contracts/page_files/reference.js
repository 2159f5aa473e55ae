// API pages: addresses in examples, buttons that copy, details that a link opens, the current section.
(() => {
  const root = document.querySelector(".reference");
  const { path } = root.dataset; // below the base URL
  const address = location.origin + location.pathname;
  const codes = root.querySelectorAll(".code code");

  function fill(name, value) {
    for (const code of codes) code.textContent = code.textContent.replaceAll(name, value);
  }

  if (address.endsWith(path)) fill("$BASE_URL", address.slice(0, -path.length));
  if (root.textContent.includes("$PROFILE")) {
    fetch("profiles").then((answer) => answer.json())
      .then(({ data }) => data?.profiles.slice(0, 1).forEach((first) => fill("$PROFILE", first.id)));
  }

  for (const code of codes) {
    const place = code.textContent.startsWith("{\n") ? "over" : "";
    const button = page.createElement("button", `button copy ${place}`, "Copy");
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch { // refused, or on http of another machine
        getSelection().selectAllChildren(code);
        button.textContent = "Selected: copy it";
      }
    });
    code.closest(".code").append(button);
  }

  const links = [...root.querySelectorAll(".contents a")];

  function markSection() {
    const isAbove = (link) =>
      link.checkVisibility() && page.byId(link.hash.slice(1)).getBoundingClientRect().top < innerHeight / 4;
    const current = links.findLast(isAbove); // none before the first section
    if (current?.ariaCurrent) return;
    for (const link of links) link.ariaCurrent = link === current ? "true" : null;
    (current ?? links[0]).scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  addEventListener("scroll", markSection, { passive: true });
  markSection();

  function openTarget() {
    page.byId(location.hash.slice(1))?.closest("details")?.setAttribute("open", "");
  }

  addEventListener("hashchange", openTarget);
  openTarget();
})();

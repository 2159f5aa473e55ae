// API pages: address and first profile in the examples, buttons that copy, details that a link opens.
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

  function addButton(code) {
    const button = page.createElement("button", "button copy", "Copy");
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    });
    code.closest(".code").append(button);
  }

  // Browsers have a clipboard on https, and on http of this machine.
  if (navigator.clipboard) codes.forEach(addButton);

  function openTarget() {
    const target = page.byId(location.hash.slice(1));
    if (target?.tagName === "DETAILS") target.open = true;
  }

  addEventListener("hashchange", openTarget);
  openTarget();
})();

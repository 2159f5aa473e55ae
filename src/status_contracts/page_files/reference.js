// API pages: the page's own address in the examples, buttons that copy, details that a link opens.
(() => {
  const root = document.querySelector(".reference");
  const { path } = root.dataset; // below the base URL
  const address = location.origin + location.pathname;

  if (address.endsWith(path)) {
    const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const base = address.slice(0, -path.length);
    while (texts.nextNode()) {
      texts.currentNode.data = texts.currentNode.data.replaceAll("$BASE_URL", base);
    }
  }

  function addButton(code) {
    const button = page.createElement("button", "button copy", "Copy");
    button.type = "button";
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    });
    code.closest(".code").append(button);
  }

  // Browsers have a clipboard on https, and on http of this machine.
  if (navigator.clipboard) root.querySelectorAll(".code code").forEach(addButton);

  function openTarget() {
    const target = page.byId(location.hash.slice(1));
    if (target?.tagName === "DETAILS") target.open = true;
  }

  addEventListener("hashchange", openTarget);
  openTarget();
})();

// Marks the links of the owner's pages that lead to this page.
(() => {
  const pathOf = ({ origin, pathname }) => origin + pathname.replace(/\/index\.html$/u, "/");
  for (const link of document.querySelectorAll(".pages a")) {
    if (pathOf(link) === pathOf(location)) link.setAttribute("aria-current", "page");
  }
})();

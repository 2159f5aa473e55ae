// Beyond the theme: labels of landmarks, levels of headings, a list of pages that shows the current
// one, and code and tables that the keyboard can scroll.
function setScrollers() {
  const places = "article :is(pre, .table-wrapper, .cell_output, .text_html, p:has(img))";
  for (const place of document.querySelectorAll(places)) {
    // Below the button, not beside it, there may be room enough.
    place.classList.remove("long");
    place.classList.toggle("long", place.scrollWidth > place.clientWidth);
    if (place.scrollWidth > place.clientWidth) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
}

addEventListener("DOMContentLoaded", () => {
  document.querySelector(".sidebar-drawer")?.setAttribute("aria-label", "Site");
  document.querySelector(".toc-drawer")?.setAttribute("aria-label", "Page");
  for (const caption of document.querySelectorAll(".caption[role=heading]")) {
    const isPart = caption.textContent.trim() === "Reference";
    caption.classList.toggle("part", isPart);
    caption.ariaLevel = isPart ? "3" : "2";
  }
  const pages = document.querySelector(".sidebar-scroll");
  const current = pages?.querySelector(".current-page");
  if (current) pages.scrollTop = current.offsetTop - pages.clientHeight / 2;
  const product = document.querySelector(".products [aria-current]");
  const bar = product?.closest(".announcement");
  if (bar) bar.scrollLeft = product.offsetLeft - bar.clientWidth / 3;
});
addEventListener("load", setScrollers);
addEventListener("resize", setScrollers);

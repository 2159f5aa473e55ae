"""The style of all pages, and that of API pages.

The variables of `:root` are those that a theme may replace; `docs/reference/pages.md` lists them.
"""

from collections.abc import Sequence
from typing import Final

from purewire.svg import palette

_LIGHT: Final = """\
  --background: #f6f6f2;
  --card: #ffffff;
  --text: #16181c;
  --muted: #565b64;
  --line: #e0e0da;
  --accent: #0c6e4f;
  --link: #1d57b0;
  --success: #0c6e4f;
  --warning: #855500;
  --error: #a5301f;
  --code: #efefe9;
"""

STYLE: Final = (
    f":root {{\n  color-scheme: light dark;\n{_LIGHT}"
    """\
  --radius: 1rem;
  --width: 57.5rem;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #0d1014;
    --card: #161a20;
    --text: #f0f1f3;
    --muted: #a3a9b3;
    --line: #2a2f37;
    --accent: #4cc38a;
    --link: #8db6ff;
    --success: #4cc38a;
    --warning: #e8ba6c;
    --error: #ff9d8a;
    --code: #20252d;
  }
}
@media (prefers-contrast: more) {
  html:root { --muted: var(--text); --line: currentColor; }
}
@media (forced-colors: active) {
  html:root {
    --background: Canvas;
    --card: Canvas;
    --code: Canvas;
    --text: CanvasText;
    --muted: CanvasText;
    --link: LinkText;
  }
}
*, *::before, *::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  background: var(--background);
  color: var(--text);
  font: 1rem/1.5 var(--font);
  overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 4px; }
.visually-hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}
.skip-link {
  position: absolute;
  z-index: 3;
  inset-inline-start: 1rem;
  top: -4rem;
  padding: 0.5rem 1rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: 0.5rem;
}
.skip-link:focus { top: 1rem; }
.page {
  max-width: calc(var(--width) + 2.5rem);
  margin: 0 auto;
  padding: 0 max(1.25rem, env(safe-area-inset-right)) 3rem max(1.25rem, env(safe-area-inset-left));
}
.header {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  justify-content: space-between;
  gap: 0.75rem 2rem;
  padding: 2rem 0 1.5rem;
}
.owner {
  display: grid;
  grid-template: 1fr auto auto auto 1fr / auto minmax(0, 1fr);
  column-gap: 0.9rem;
}
.avatar {
  grid-row: 1 / -1;
  align-self: center;
  display: grid;
  place-items: center;
  border: 1px solid transparent;
  width: 3.5rem;
  height: 3.5rem;
  border-radius: 50%;
  background: var(--accent);
  color: var(--background);
  font-size: 1.4rem;
  font-weight: 700;
  object-fit: cover;
}
.owner > :not(.avatar) { grid-column: 2; }
.owner-name {
  grid-row: 2;
  font-size: 1.35rem;
  font-weight: 700;
  line-height: 1.25;
  letter-spacing: -0.01em;
}
.owner-line { grid-row: 3; color: var(--muted); }
.owner-links {
  grid-row: 4;
  display: flex;
  flex-wrap: wrap;
  gap: 0.1rem 1rem;
  padding: 0;
  list-style: none;
  font-size: 0.9rem;
}
.pages { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; }
.pages a { padding: 0.4rem 0 calc(0.4rem + 2px); color: var(--muted); text-decoration: none; }
.pages a:hover { color: var(--text); }
.pages a[aria-current] {
  padding-block-end: 0.4rem;
  border-block-end: 2px solid var(--accent);
  color: var(--text);
}
.card {
  padding: 1.3rem 1.4rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-radius: var(--radius);
}
.card h2 { font-size: 0.85rem; font-weight: 650; color: var(--muted); }
.cards {
  display: grid;
  gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr));
}
.value {
  font-size: 1.65rem;
  font-weight: 700;
  line-height: 1.25;
  letter-spacing: -0.015em;
  font-variant-numeric: tabular-nums;
}
.detail { color: var(--muted); font-size: 0.9rem; }
.footer { margin-top: 1.25rem; color: var(--muted); font-size: 0.85rem; }
.footer a { color: inherit; }
@media (max-width: 30rem) {
  .header { padding: 1.25rem 0 1rem; }
  .card { padding: 1.1rem; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation: none !important; transition: none !important; }
}
.notice {
  padding: 1.1rem 1.4rem;
  background: var(--card);
  border: 1px solid var(--line);
  border-inline-start: 4px solid var(--muted);
  border-radius: 0.5rem;
}
.notice[data-kind="failed"] { border-inline-start-color: var(--error); }
.notice-title { font-weight: 650; }
.notice-actions {
  display: flex;
  flex-wrap: wrap;
  align-items: center;
  gap: 0.5rem 1.25rem;
  margin-top: 0.6rem;
}
.notice-actions button {
  padding: 0.35rem 0.9rem;
  background: var(--code);
  border: 1px solid var(--muted);
  border-radius: 0.6rem;
  color: inherit;
  font: inherit;
  cursor: pointer;
}
.on-paper { display: none; }
"""
)
"""The style of every page."""

PRINT: Final = (
    "@media print {\n"
    "  @page { margin: 14mm 13mm 16mm; }\n"
    f"  html:root {{\n  color-scheme: only light;\n{_LIGHT}  }}\n"
    """\
  html:root {
    --background: #fff;
    font-size: 81%;
    -webkit-print-color-adjust: exact;
    print-color-adjust: exact;
  }
  html:root body { background: none; }
  .page { max-width: none; padding: 0; }
  .header { padding: 0 0 1rem; }
  nav, form, input, select, button:not(.is-data), .skip-link, .on-screen {
    display: none !important;
  }
  .on-paper { display: revert; }
  summary { list-style: none; }
  summary::-webkit-details-marker { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  .scroll { overflow: visible; max-height: none; }
  .card, .notice, figure, tr, li, svg, img { break-inside: avoid; }
  h1, h2, h3, summary, caption { break-after: avoid; }
  thead { display: table-header-group; }
}
"""
)
"""What paper changes, for every page: it follows the style of the page itself."""


def _colors(name: str, first: int, light: Sequence[str], dark: Sequence[str]) -> str:
    """Return numbered variables of colours, and those of dark pages."""
    of_light, of_dark = (
        "".join(f"  --{name}-{n}: {color};\n" for n, color in enumerate(colors, first))
        for colors in (light, dark)
    )
    dark_pages = "@media screen and (prefers-color-scheme: dark)"
    return f":root {{\n{of_light}}}\n{dark_pages} {{\n  :root {{\n{of_dark}  }}\n}}\n"


DATA: Final = _colors(
    "data",
    1,
    (*palette.TONES, *palette.STAGES),
    (*palette.TONES_ON_DARK, *palette.STAGES_ON_DARK),
)
"""The variables of pages that draw data, with the colours of pictures."""
LEVELS: Final = _colors(
    "level", 0, *([fill for fill, _ in palette.FILLS[theme]] for theme in ("light", "dark"))
)
"""Those of pages with a calendar."""

REFERENCE: Final = """\
.intro { padding: 0.5rem 0; }
.intro h1 {
  font-size: clamp(1.9rem, 1.2rem + 3.2vw, 2.6rem);
  line-height: 1.15;
  letter-spacing: -0.025em;
}
.contents { margin-top: 1.5rem; }
.contents ul { columns: 15rem; column-gap: 2rem; padding: 0; list-style: none; }
.contents li { break-inside: avoid; padding: 0.2rem 0; }
main > section { padding-top: 2.75rem; }
h2 { font-size: 1.5rem; line-height: 1.25; letter-spacing: -0.015em; }
h3 { margin-top: 2rem; font-size: 1.05rem; line-height: 1.4; }
main p, main ul { max-width: 42rem; margin-top: 0.75rem; }
main ul { padding-inline-start: 1.2rem; }
main li + li { margin-top: 0.3rem; }
.endpoint { margin-top: 1.25rem; }
.endpoint h3 { margin: 0; }
.endpoint h3 code { padding: 0; background: none; font-size: 1em; }
.method { margin-inline-end: 0.4rem; font-size: 0.85em; color: var(--success); }
.method.writes { color: var(--warning); }
code, pre {
  font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
  font-size: 0.88em;
}
:not(pre, a) > code { padding: 0.1em 0.35em; background: var(--code); border-radius: 0.3em; }
pre {
  margin: 0.75rem 0 0;
  padding: 0.85rem 1rem;
  background: var(--code);
  border-radius: 0.6rem;
  line-height: 1.5;
  white-space: pre-wrap;
  overflow-wrap: break-word;
}
pre.request { user-select: all; }
pre code { font-size: 1em; }
details { margin-top: 0.75rem; }
summary { color: var(--muted); cursor: pointer; }
.scroll { overflow-x: auto; margin-top: 0.85rem; }
table { width: 100%; border-collapse: collapse; overflow-wrap: normal; font-size: 0.95rem; }
caption { padding: 0.5rem 0 0.35rem; text-align: start; color: var(--muted); font-size: 0.9rem; }
th, td { padding: 0.45rem 0.9rem 0.45rem 0; text-align: start; vertical-align: top; }
thead th { color: var(--muted); font-size: 0.9rem; font-weight: 600; }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 500; }
td:last-child, th:last-child { padding-inline-end: 0; }
@media (max-width: 34rem) {
  th, td { padding-inline-end: 0.6rem; }
  tbody th { overflow-wrap: anywhere; min-width: 8rem; }
}
"""
"""The further style of an API page."""

"""CSS of the page: one column, for phones too, light and dark."""

from typing import Final

STYLE: Final = """
:root {
  color-scheme: light dark;
  --background: #f7f6f2; --card: #fff; --text: #1c2126; --muted: #59616b; --line: #dcd9d0;
  --link: #1b58ab; --code: #eeece5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --background: #131518; --card: #1b1e22; --text: #e9eaeb; --muted: #a6adb6; --line: #31363c;
    --link: #8fb8ff; --code: #25292f;
  }
}
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--background); color: var(--text); overflow-wrap: anywhere;
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main {
  max-width: 52rem; margin: 0 auto; outline: none;
  padding: 1rem max(1.1rem, env(safe-area-inset-right)) 4rem max(1.1rem, env(safe-area-inset-left));
}
h1 { font-size: clamp(1.8rem, 1.3rem + 2.5vw, 2.5rem); line-height: 1.15; margin: 1.5rem 0 1rem; }
h2 {
  font-size: 1.45rem; line-height: 1.25; margin: 3rem 0 0.5rem; padding-top: 1.2rem;
  border-top: 1px solid var(--line);
}
h3 { font-size: 1.02rem; line-height: 1.45; margin: 2.2rem 0 0.25rem; }
p, ul { max-width: 44rem; margin: 0.7rem 0; }
ul { padding-inline-start: 1.25rem; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.skip {
  position: absolute; top: -5rem; inset-inline-start: 1rem; padding: 0.5rem 1rem;
  background: var(--card); border: 1px solid var(--line); border-radius: 0.5rem;
}
.skip:focus { top: 1rem; }
nav {
  background: var(--card); border: 1px solid var(--line); border-radius: 0.8rem;
  padding: 0.9rem 1.1rem; margin: 1.5rem 0;
}
nav p { margin: 0 0 0.3rem; color: var(--muted); font-weight: 600; font-size: 0.92rem; }
nav ul { columns: 13rem; list-style: none; padding: 0; margin: 0; }
code, pre { font-family: ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; }
code { font-size: 0.88em; }
:not(pre, a, h3) > code { background: var(--code); border-radius: 0.3em; padding: 0.1em 0.32em; }
pre {
  background: var(--code); border-radius: 0.6rem; padding: 0.8rem 1rem; margin: 0.8rem 0;
  white-space: pre-wrap; overflow-wrap: break-word; line-height: 1.5;
}
.scroll { overflow-x: auto; margin: 0.8rem 0; }
table { width: 100%; border-collapse: collapse; font-size: 0.94rem; overflow-wrap: normal; }
caption { text-align: start; color: var(--muted); font-size: 0.9rem; padding: 0.2rem 0; }
th, td { text-align: start; vertical-align: top; padding: 0.4rem 0.9rem 0.4rem 0; }
thead th { color: var(--muted); font-weight: 600; font-size: 0.9rem; }
tbody tr { border-top: 1px solid var(--line); }
tbody th { font-weight: 500; }
@media (max-width: 34rem) {
  tbody th { min-width: 8rem; overflow-wrap: break-word; }
}
"""
"""It references nothing outside the page."""

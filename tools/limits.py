"""Write the limits into what cannot import them: scripts, pages, tables, types.

A number stands before the name of its constant in the product's `limits`, or in a module of
`MORE`; `/1000` stands for seconds:

    const DELAY_MS = 420_000; // PLAYBACK_DELAY_MS: from the playhead to server time
    <td>420<!-- PLAYBACK_DELAY_SECONDS --> s</td>
    delay_seconds: Literal[420] = limits.PLAYBACK_DELAY_SECONDS

`python tools/limits.py` reports the numbers that differ; `--write` writes them.
"""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = {
    "devicestatus": ("src/devicestatus/**/*", "docs/explanation/*.md"),
    "healthapi": ("src/healthapi/**/*", "docs/reference/health-*.md"),
    "sitedata": ("src/sitedata/**/*", "docs/reference/site-*.md"),
}
"""Product to the files that have limits of it."""
MORE: Final = {"devicestatus": "devicestatus.lane_values"}
"""Product to another module with constants."""
_NAME: Final = r"(?P<name>[A-Z]+(?:_[A-Z]+)+)(?P<seconds>/1000)?"
_FORMS: Final = {
    ".js": (re.compile(rf"(?P<number>[0-9_]+)(?P<rest>\)?[;,] // {_NAME}\b)"), "_"),
    ".html": (re.compile(rf"(?P<number>[0-9]+)(?P<rest><!-- {_NAME} -->)"), ""),
    ".md": (re.compile(rf"(?P<number>[0-9,]+)(?P<rest><!-- {_NAME} -->)"), ","),
    ".py": (
        re.compile(
            rf"(?P<number>[0-9]+)(?P<rest>\] = (?:attrs\.field\(default=)?limits\.{_NAME}\b)"
        ),
        "",
    ),
}
"""Suffix of a file to the form of a number with its name, and the separator of thousands."""


def main(arguments: list[str]) -> int:
    """Report the numbers that differ from the limits, or write them; return the exit code."""
    code = 0
    for product, patterns in PLACES.items():
        limits = ModuleType(product)
        for module in (f"{product}.limits", MORE.get(product, f"{product}.limits")):
            vars(limits).update(vars(import_module(module)))
        for path in _files(patterns):
            before = path.read_text("utf-8")
            after = updated(before, path.suffix, limits)
            if after == before:
                continue
            if arguments == ["--write"]:
                path.write_text(after, "utf-8")
            else:
                print(f"{path.relative_to(ROOT)}: run python tools/limits.py --write")
                code = 1
    return code


def updated(text: str, suffix: str, limits: ModuleType) -> str:
    """Return a text with the limits that it names.

    Raises:
        AttributeError: there is no such limit.

    """
    form, separator = _FORMS[suffix]

    def written(found: re.Match[str]) -> str:
        limit = getattr(limits, found["name"])
        number = f"{limit // 1000 if found['seconds'] else limit:,}".replace(",", separator)
        return f"{number}{found['rest']}"

    return form.sub(written, text)


def _files(patterns: tuple[str, ...]) -> Iterator[Path]:
    for pattern in patterns:
        yield from (path for path in sorted(ROOT.glob(pattern)) if path.suffix in _FORMS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

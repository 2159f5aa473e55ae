"""Write what is made from the source: limits in scripts and tables, and `schemas/`.

    python tools/generate.py           writes what differs, and lists it
    python tools/generate.py --check   lists it and exits with 1

A number stands before the name of its constant in `limits`; `/1000` stands for seconds:

    const DELAY_MS = 420_000; // PLAYBACK_DELAY_MS: from the playhead to server time
    420<!-- PLAYBACK_DELAY_SECONDS --> s

`schemas/` has OpenAPI documents, and schemas of what is written or stored.  All other schemas are
components of the OpenAPI documents; the command `schema` prints each.
"""

import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

from status_contracts.cli.shipped import build_schemas

ROOT: Final = Path(__file__).parents[1]
PLACES: Final = {
    "devicestatus": ("src/devicestatus/**/*", "docs/explanation/*.md"),
    "healthapi": ("src/healthapi/**/*", "docs/reference/health-*.md"),
    "sitedata": ("src/sitedata/**/*", "docs/reference/site-*.md"),
}
"""Product to the files that have limits of it."""
SCHEMAS: Final = {
    "devicestatus": ("openapi", "snapshot", "window", "icon-manifest"),
    "healthapi": ("openapi",),
    "sitedata": ("openapi", "site-data"),
}
"""Product to the names of its files below `schemas/`."""
_NAME: Final = r"(?P<name>[A-Z]+(?:_[A-Z]+)+)(?P<seconds>/1000)?"
_FORMS: Final = {
    ".js": (re.compile(rf"(?P<number>[0-9_]+)(?P<rest>\)?[;,] // {_NAME}\b)"), "_"),
    ".md": (re.compile(rf"(?P<number>[0-9,]+)(?P<rest><!-- {_NAME} -->)"), ","),
}
"""Suffix of a file to the form of a number with its name, and the separator of thousands."""


def made() -> Iterator[tuple[Path, str | None]]:
    """Yield each file and what it must contain; None for one that must not be there."""
    for product, patterns in PLACES.items():
        limits = import_module(f"{product}.limits")
        for path in (path for pattern in patterns for path in sorted(ROOT.glob(pattern))):
            if path.suffix in _FORMS:
                yield path, updated(path.read_text("utf-8"), path.suffix, limits)
    folder = ROOT / "schemas"
    schemas = {
        folder / built.product / f"{name}.json": built.text(name)
        for package, names in SCHEMAS.items()
        for built in [build_schemas(package)]
        for name in names
    }
    yield from schemas.items()
    yield from ((path, None) for path in folder.rglob("*.*") if path not in schemas)


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


def main(arguments: list[str]) -> int:
    """Write the files that differ, or list them; return the exit code."""
    code = 0
    for path, text in made():
        if (path.read_text("utf-8") if path.exists() else None) == text:
            continue
        print(path.relative_to(ROOT))
        if arguments == ["--check"]:
            code = 1
        elif text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write the files of `schemas/`: OpenAPI documents, and schemas of what is written or stored.

`python tools/schemas.py` checks that the files are those of the models; `--write` writes them.  All
other schemas are components of the OpenAPI documents; the command `schema` prints each.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Final

from status_contracts.cli.shipped import build_schemas

FOLDER: Final = Path(__file__).parents[1] / "schemas"
NAMES: Final = {
    "devicestatus": ("openapi", "snapshot", "window", "icon-manifest"),
    "healthapi": ("openapi",),
    "sitedata": ("openapi", "site-data"),
}
"""Product to the names of its files."""


@cache
def files() -> dict[str, str]:
    """Return path, below the folder, to text."""
    return {
        f"{schemas.product}/{name}.json": schemas.text(name)
        for product, names in NAMES.items()
        for schemas in [build_schemas(product)]
        for name in names
    }


def main(arguments: list[str]) -> int:
    """Check the files, or write them with `--write`; return the exit code."""
    made = files()
    found = {path.relative_to(FOLDER).as_posix(): path for path in FOLDER.rglob("*.*")}
    stale = [name for name in made if name not in found or found[name].read_text() != made[name]]
    extra = sorted(found.keys() - made.keys())
    if arguments == ["--write"]:
        for name in stale:
            path = FOLDER / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(made[name], "utf-8")
        for name in extra:
            found[name].unlink()
        return 0
    for name in (*stale, *extra):
        print(f"schemas/{name}: not made from the models; run with --write")
    return 1 if stale or extra else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

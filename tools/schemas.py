"""Write the files of `schemas/`: JSON Schemas, OpenAPI documents and TypeScript declarations.

`python tools/schemas.py` checks that the files are those of the models; `--write` writes them.
"""

import sys
from functools import cache
from pathlib import Path

from purewire.adapters.commands.shipped import build_schemas

FOLDER = Path(__file__).parents[1] / "schemas"


@cache
def files() -> dict[str, str]:
    """Return path, below the folder, to text."""
    sets = map(build_schemas, ("devicestatus", "healthapi", "sitedata"))
    return {each.file(name): each.text(name) for each in sets for name in each.names}


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

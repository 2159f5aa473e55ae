"""Write the files of `vectors/` from the case lists in `tests/support/vectors`.

`python tools/vectors.py` checks that the files are those of the lists; `--write` writes them, and
`--freeze` writes the list of the cases of a new version of the suite, which never changes again.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support.vectors.catalog import FROZEN, frozen_text, texts
from support.vectors.topics import FOLDER, SUITE


def main(arguments: list[str]) -> int:
    """Check the files, or write them; return the exit code."""
    files = texts()
    if "--write" in arguments:
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    if "--freeze" in arguments:
        frozen = FROZEN / f"{SUITE}.json"
        if frozen.exists():
            print(f"{frozen.name}: this version is frozen; set another SUITE first")
            return 1
        frozen.parent.mkdir(exist_ok=True)
        frozen.write_text(frozen_text(files), "utf-8")
    stale = [path for path, text in files.items() if _differs(path, text)]
    for path in stale:
        print(f"{path.relative_to(FOLDER)}: not made from the case lists; run with --write")
    return 1 if stale else 0


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text("utf-8") != text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The cost of the entry points of pytest and Hypothesis where nobody uses them.

- `import hypothesis`, against the same with a distribution that has no entry points;
- `pytest --collect-only` on an empty file, against the same with the plug-in blocked.
"""

import os
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from measuring import compare, show

ROUNDS = 7
METADATA = "Metadata-Version: 2.1\nName: status-contracts\nVersion: 0.1.0\n"


def run(arguments: list[str], folder: Path, path: str = "") -> None:
    """Run Python in a folder, with an entry of the module path before the others."""
    environment = {**os.environ, "PYTHONPATH": path}
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=False)  # noqa: S603


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "test_empty.py").touch()
        # The first distribution of a name hides the others.
        shadow = folder / "shadow" / "status_contracts-0.1.0.dist-info"
        shadow.mkdir(parents=True)
        (shadow / "METADATA").write_text(METADATA)
        imported = ["-c", "import hypothesis"]
        collected = ["-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
        contenders = {
            "import hypothesis": partial(run, imported, folder),
            "  without the entry point": partial(run, imported, folder, str(shadow.parent)),
            "pytest --collect-only": partial(run, collected, folder),
            "  without the plug-in": partial(run, [*collected, "-pno:status_contracts"], folder),
        }
        show("start, with and without the entry points", compare(contenders, ROUNDS))


if __name__ == "__main__":
    main()

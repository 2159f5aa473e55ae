"""The Python code of README, tutorials and how-to guides passes `mypy --strict`.

The blocks of a page make one module, as they run: the one that its text names, such as `routes.py`.
A block that begins with a file name, such as `# agent.py`, is that file.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

pytestmark = pytest.mark.check

PROJECT: Final = Path(__file__).parents[2]
PAGES: Final = (
    PROJECT / "README.md",
    *PROJECT.glob("docs/tutorials/*.md"),
    *PROJECT.glob("docs/how-to/*.md"),
    PROJECT / "docs/reference/stores.md",
)
BLOCK: Final = re.compile(r"^```python\n(?:# ([\w-]+\.py)\n)?(.*?)^```$", re.MULTILINE | re.DOTALL)
BESIDE: Final = PROJECT / "examples/stores"
"""What the pages import from the folder of examples."""


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the code of all pages into one folder."""
    folder = tmp_path_factory.mktemp("pages")
    for page in PAGES:
        source, texts = page.read_text("utf-8"), dict[str, str]()
        named = re.search(r" make one file, `(\w+\.py)`", source)
        joined = named[1] if named else f"{page.stem.lower().replace('-', '_')}_page.py"
        for name, text in BLOCK.findall(source):
            texts[name or joined] = f"{texts.get(name or joined, '')}{text}\n"
        for name, text in texts.items():
            assert not (folder / name).exists(), f"{name} is in two pages"
            (folder / name).write_text(text, "utf-8")
    return folder


def test_mypy_accepts_the_code_of_the_guides(modules: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--no-pretty", str(modules)],
        cwd=PROJECT,
        env={**os.environ, "MYPYPATH": f"{modules}:{BESIDE}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr

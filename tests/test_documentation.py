"""The documentation names only what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
TESTS = sorted(ROOT.glob("tests/**/test_*.py"))

NAMED = re.compile(r"`(test_\w+)(?:::(test_\w+))?`")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")


def test_every_test_that_the_rulings_name_exists() -> None:
    named = NAMED.findall((ROOT / "docs/reference/rulings.md").read_text("utf-8"))
    assert named
    texts: dict[str, str] = {}
    for path in TESTS:  # modules of two packages may have the same name
        texts[path.stem] = texts.get(path.stem, "") + path.read_text("utf-8")
    missing = [
        f"{module}::{name}"
        for module, name in named
        if module not in texts or (name and f"def {name}(" not in texts[module])
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_to_files(page: Path) -> None:
    targets = LINK.findall(page.read_text("utf-8"))
    assert [target for target in targets if not (page.parent / target).exists()] == []

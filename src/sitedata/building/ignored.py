"""Files that solve nothing, and roots and folders that hold no solutions; settings change both.

Source: rulings under "Site-data file".  Names are in lower case and stand for every case.
"""

from typing import Final

__all__ = ["IGNORED_FILES", "IGNORED_FOLDERS", "IGNORED_ROOTS"]

_ROOTS: Final = {
    "words": "doc docs documentation notes wiki",
    "tests": "benchmark benchmarks test testing tests",
    "tools": "bin ci config configs helper helpers script scripts tool tools util utils",
    "code of others": "lib libs library libraries third-party third_party vendor",
    "beginnings": "example examples include snippet snippets src template templates",
    "media": "assets data image images img media static website",
    "leavings": "archive build dist misc node_modules out target venv",
}

_FILES: Final = {
    "Go": "*_test.go",
    "Java": "module-info.java package-info.java",
    "JavaScript and TypeScript": (
        "*.config.js *.config.mjs *.config.ts *.d.ts *.spec.js *.spec.ts *.test.js *.test.ts"
    ),
    "Kotlin": "*.gradle.kts",
    "Python": "__init__.py __main__.py *_test.py conftest.py setup.py test_*.py",
    "Ruby": "*_spec.rb *_test.rb",
    "Rust": "build.rs mod.rs",
}

IGNORED_FILES: Final = frozenset(name for names in _FILES.values() for name in names.split())
"""Names of files that are tests, settings or parts of a package; `*` is any text."""
IGNORED_ROOTS: Final = frozenset(name for names in _ROOTS.values() for name in names.split())
"""First segments that are no platforms; nor is one that begins with a dot."""

IGNORED_FOLDERS: Final = frozenset(
    [".cph", ".git", ".idea", ".ipynb_checkpoints", ".vscode", "__pycache__", "node_modules"]
)
"""Folders in which nothing is listed, however deep they lie."""

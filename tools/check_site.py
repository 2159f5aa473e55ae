"""Check a built documentation site: `python tools/check_site.py build/docs`.

Every public name is described, every own link has its target, and links into the repository name
files that exist.  It exits with 1 and one line per fault.
"""

import re
import sys
from collections.abc import Iterator
from html import unescape
from importlib import import_module
from inspect import isclass, isroutine
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from sphinx.util.inventory import InventoryFile

_PROJECT: Final = Path(__file__).parents[1]
_NAME: Final = "status-contracts/status-contracts"
_IN_REPOSITORY: Final = re.compile(
    rf"https://(?:github\.com/{_NAME}/(?:blob|edit|tree|raw)|raw\.githubusercontent\.com/{_NAME})"
    r"/(?:main|v[\d.]+)/([^?#]*)"
)
_MODULE: Final = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)
_ID: Final = re.compile(r'\sid="([^"]+)"')
_LINK: Final = re.compile(r'<[^>]*\s(?:href|src)="([^"]+)"')


def missing_names(site: Path) -> Iterator[str]:
    """Yield the public classes and functions of the API reference that it does not describe.

    A name that a package exports may be described where it is defined.
    """
    pages = _PROJECT.glob("docs/reference/api/*.md")
    packages = {name for page in pages for name in _MODULE.findall(page.read_text("utf-8"))}
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    described = {name for objects in inventory.data.values() for name in objects}
    ends = {(name.split(".")[0], name.rpartition(".")[2]) for name in described}
    for package in sorted(packages):
        module, product = import_module(package), package.split(".")[0]
        for name in module.__all__:
            value = getattr(module, name)
            places = {(product, name), ("status_contracts", name)}
            if (isclass(value) or isroutine(value)) and not ends & places:
                yield f"{package}.{name}: not in the API reference"


def broken_links(site: Path) -> Iterator[str]:
    """Yield the links that lead nowhere; other sites are not asked."""
    texts = {path: path.read_text("utf-8") for path in sorted(site.rglob("*.html"))}
    ids = {path: set(map(unescape, _ID.findall(text))) for path, text in texts.items()}
    for path, text in texts.items():
        for link in sorted(set(map(unescape, _LINK.findall(text)))):
            parts = urlsplit(link)
            inside = _IN_REPOSITORY.match(link)
            if inside and not (_PROJECT / unquote(inside[1])).exists():
                yield f"{path.relative_to(site)}: {link} is not in the repository"
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path.relative_to(site)}: {link} has no target"
            elif target in ids and unquote(parts.fragment) not in {"", *ids[target]}:
                yield f"{path.relative_to(site)}: {link} has no such anchor"


def main(folder: str) -> int:
    """Print every fault; return the exit code."""
    site = Path(folder).resolve()
    faults = [*missing_names(site), *broken_links(site)]
    print("\n".join(faults) or f"{folder}: every public name is described, every link has a target")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

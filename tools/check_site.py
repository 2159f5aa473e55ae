"""Check a built documentation site: every public name is described, every own link has its target.

Links into the repository name files that exist; links to other sites have the form of an https URL.

    python tools/check_site.py build/docs

It exits with 1 and one line per fault.
"""

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
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
_HOST: Final = re.compile(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}")
_MODULE: Final = re.compile(r"^\.\. automodule:: (\S+)$", re.MULTILINE)
_NUMBERED: Final = re.compile(r"id\d+")  # changes when a heading is added before it


class _Anchors(HTMLParser):
    """The ids and the links of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: set[str] = set()

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name in {"href", "src"} and value:
                self.links.add(value)


def missing_names(site: Path) -> Iterator[str]:
    """Yield the public names of the modules in the API reference that it does not describe.

    Of constants and names of types it describes those that have a text.
    """
    pages = _PROJECT.glob("docs/reference/api/*.md")
    packages = {name for page in pages for name in _MODULE.findall(page.read_text("utf-8"))}
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    described = {name for objects in inventory.data.values() for name in objects}
    ends = {(name.split(".")[0], name.rpartition(".")[2]) for name in described}
    for package in sorted(packages):
        product, module = package.split(".")[0], import_module(package)
        for name in module.__all__:
            value = getattr(module, name)
            if not (isclass(value) or isroutine(value)):
                continue
            # A name that a package exports may be described where it is defined.
            if f"{package}.{name}" not in described and not ends & {
                (product, name),
                ("status_contracts", name),
            }:
                yield f"{package}.{name}: not in the API reference"


def broken_links(site: Path) -> Iterator[str]:
    """Yield the links that lead nowhere, or have the wrong form."""
    pages = {path: _parsed(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        for link in sorted(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                if fault := _external_fault(link):
                    yield f"{path.relative_to(site)}: {link} {fault}"
                continue
            if _NUMBERED.fullmatch(parts.fragment):
                yield f"{path.relative_to(site)}: {link} has an anchor that is not stable"
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                yield f"{path.relative_to(site)}: {link} has no target"
            elif target in pages and unquote(parts.fragment) not in {"", *pages[target].ids}:
                yield f"{path.relative_to(site)}: {link} has no such anchor"


def _external_fault(link: str) -> str | None:
    """Return what is wrong with a link to another site, without a request.

    Tutorials link to what the reader serves on the same machine.
    """
    parts = urlsplit(link)
    if parts.hostname == "127.0.0.1" or parts.scheme in {"mailto", "data"}:
        return None
    if parts.scheme != "https":
        return "is not https"
    if not _HOST.fullmatch(parts.hostname or "") or re.search(r"[\s<>]", link):
        return "is not a well-formed URL"
    inside = _IN_REPOSITORY.match(link)
    if inside and not (_PROJECT / unquote(inside[1])).exists():
        return "is not in the repository"
    if not inside and f"{_NAME}/main" in link:
        return "has another base than the repository's"
    return None


def _parsed(path: Path) -> _Anchors:
    page = _Anchors()
    page.feed(path.read_text("utf-8"))
    return page


def main(folder: str) -> int:
    """Print every fault; return the exit code."""
    site = Path(folder).resolve()
    faults = [*missing_names(site), *broken_links(site)]
    print("\n".join(faults) or f"{folder}: every public name is described, every link has a target")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

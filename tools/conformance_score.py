"""Write the page of the broken servers that the conformance checks notice.

`python tools/conformance_score.py` checks that the page is that of the servers; `--write` writes
it.  `tests/devicestatus/test_broken_servers.py` proves what it says.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "conformance-score.md"
sys.path.insert(0, str(ROOT / "tests"))

from support.devicestatus.broken_servers import SERVERS  # noqa: E402 - after the path

_INTRODUCTION: Final = """\
# Score of the conformance checks

How well [`devicestatus conformance`](conformance.md) finds faults: it notices all of these
{count} servers, which have one fault each.
They are the reference service behind faulty middleware, on a faulty store, or with a second service
that answers some of the requests. `tests/support/devicestatus/broken_servers/` has them.
The rules are those that the fault breaks.
"""


def page() -> str:
    """Return the page."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield _INTRODUCTION.format(count=len(SERVERS))
    for chapter in dict.fromkeys(each.chapter for each in SERVERS.values()):
        yield f"## {chapter}\n"
        yield "| server | fault | rules |"
        yield "| --- | --- | --- |"
        for each in SERVERS.values():
            if each.chapter == chapter:
                title = each.title.replace("|", "\\|")
                yield f"| `{each.name}` | {title} | {', '.join(each.rules)} |"
        yield ""


def main() -> int:
    """Write the page, or check it; return the exit code."""
    if "--write" in sys.argv[1:]:
        PAGE.write_text(page(), "utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text("utf-8") == page():
        return 0
    sys.stderr.write(f"{PAGE.name} is not that of the servers: run with --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())

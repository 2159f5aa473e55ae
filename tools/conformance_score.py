"""Write the page that counts the broken servers which the conformance checks notice.

    python tools/conformance_score.py            # check that the page is that of the servers
    python tools/conformance_score.py --write    # write it
    python tools/conformance_score.py --score    # find the checks of device status anew

`--score` runs servers for some minutes and writes `tests/data/conformance_score.json`, which has
the check that notices each server of device status.
"""

import json
import sys
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "conformance-score.md"
SCORE: Final = ROOT / "tests" / "data" / "conformance_score.json"
sys.path.insert(0, str(ROOT / "tests"))

from support.devicestatus import broken_servers as device  # noqa: E402
from support.healthapi.broken_servers import BROKEN  # noqa: E402
from support.healthapi.derived_faults import KINDS  # noqa: E402
from support.sitedata import broken_servers as site  # noqa: E402

_INTRODUCTION: Final = """\
# Score of the conformance checks

For people who ask how well the [conformance commands](conformance.md) find
faults: they notice {count} servers with one fault each.
A server is noticed if a check fails that cites a rule which the server breaks.

The servers are the reference services behind a faulty layer, on a faulty store, or with a second
service that answers some of the requests. Most are derived: each constraint of each member dropped
or moved, each header left out, each method and similar path answered, each pair of checks in the
wrong order, each [vector](vectors.md) of a secret let through. The others are written by hand,
because no table has their fault. `broken_servers` in the folders of `tests/support/` has them.

| product | faults | servers | rules |
| --- | --- | --- | --- |
"""
_END: Final = """
Tests run all servers of device status and site data, one of each fault of health data and samples
of the others; [`conformance_score.json`](../../tests/data/conformance_score.json) has the check
that notices each server of device status.
"""


def page() -> str:
    """Return the page."""
    rows = [*_device(), *_health(), *_site()]
    count = sum(len(rules) for _, _, rules in rows)
    lines = (
        f"| {product} | {faults} | {len(rules):,} | {len(set().union(*rules))} |\n"
        for product, faults, rules in rows
    )
    return f"{_INTRODUCTION.format(count=f'{count:,}')}{''.join(lines)}{_END}"


def _device() -> Iterator[tuple[str, str, Sequence[Collection[str]]]]:
    """Yield product, chapter, and the rules that each of its servers breaks."""
    servers = device.SERVERS.values()
    derived = [
        name for name in dict.fromkeys(each.chapter for each in servers) if name in device.DERIVED
    ]
    for chapter in (*derived, "by hand"):
        chosen = [
            each.rules
            for each in servers
            if each.chapter == chapter
            or (chapter == "by hand" and each.chapter not in device.DERIVED)
        ]
        yield "device status", chapter[0].lower() + chapter[1:], chosen


def _health() -> Iterator[tuple[str, str, Sequence[Collection[str]]]]:
    for kind, derive in KINDS.items():
        yield "health data", kind, [each.rules for each in derive()]
    yield "health data", "by hand", [each.rules for each in BROKEN.values()]


def _site() -> Iterator[tuple[str, str, Sequence[Collection[str]]]]:
    for faults, servers in (
        ("another file", site.EDITED),
        ("requests", site.READS),
        ("by hand", site.BY_HAND),
    ):
        yield "site data", faults, [each.rules for each in servers]


def main() -> int:
    """Write the page, or check it; return the exit code."""
    if "--score" in sys.argv[1:]:
        from support.devicestatus.broken_servers.score import noticed_by  # noqa: PLC0415 - slow

        score = {name: noticed_by(name) for name in device.SERVERS}
        text = json.dumps(score, indent=0, ensure_ascii=True)
        SCORE.write_text(f"{text}\n", "utf-8")
    expected = page()
    if {"--write", "--score"} & {*sys.argv[1:]}:
        PAGE.write_text(expected, "utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text("utf-8") == expected:
        return 0
    sys.stderr.write(f"{PAGE.name} is not that of the servers: run with --write\n")
    return 1


if __name__ == "__main__":
    sys.exit(main())

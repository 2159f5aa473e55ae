"""Write the sample of a summary into the page about the conformance of device status.

`python tools/conformance_sample.py` checks that the page has what the command prints about a server
with three faults, numbers apart, which change with every new check; `--write` writes it.
"""

import re
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PAGE: Final = ROOT / "docs" / "reference" / "conformance.md"
sys.path.insert(0, str(ROOT / "tests"))

from devicestatus import Settings  # noqa: E402
from devicestatus.adapters import asgi  # noqa: E402
from devicestatus.adapters.memory import MemoryStore  # noqa: E402
from purewire.adapters.conformance import (  # noqa: E402
    InAsgi,
    VirtualClock,
    load_suite,
)
from purewire.conformance.checks import Arguments  # noqa: E402
from purewire.conformance.run import run_suite, select  # noqa: E402
from purewire.conformance.text_report import summary, verdict  # noqa: E402
from support.purewire.asgi_layers import Call, Request, Response, layered  # noqa: E402

_URL: Final = "https://status.example"
_START: Final = 1_790_000_000_000
_SAMPLE: Final = re.compile(
    r"(?<=```text\n)[0-9]+ checks of https://status\.example.*?(?=```\n)", re.DOTALL
)


async def _with_faults(request: Request, call: Call) -> Response:
    response = await call(request)
    if request.path == "/api/music" or request.path.startswith("/api/apps"):
        response.put("content-type", "application/json")
    if request.path == "/api/health" and request.method == "GET":
        response.put_json(response.json | {"version": "1"})
    if request.path == "/api/device":
        response.status = 404
    return response


def sample() -> str:
    """Return what the command prints about a server with three faults."""
    clock = VirtualClock(_START)
    app = asgi.create_app(Settings("x" * 32), store=MemoryStore(), clock=clock)
    perform = InAsgi(clock, application=layered(app, _with_faults))
    suite = load_suite("devicestatus")
    checks = select(suite.checks, ["health", "shape", "headers", "cors"])
    report = run_suite(suite, checks, perform, Arguments(), url=_URL)
    last = f"{verdict(report, strict=False)}; details: give --report DIR"
    return "".join(f"{line}\n" for line in (*summary(report), "", last))


def masked(text: str) -> str:
    """Return a text without its numbers, and without the blanks that align them."""
    return re.sub(r" *[0-9.]+", " N", text)


def main(arguments: list[str]) -> int:
    """Check or write the sample; return the exit code."""
    page = PAGE.read_text("utf-8")
    found = _SAMPLE.search(page)
    if found is None:
        print(f"{PAGE} has no sample")
        return 1
    made = sample()
    if "--write" in arguments:
        PAGE.write_text(page.replace(found[0], made), "utf-8")
    elif masked(found[0]) != masked(made):
        print(f"the sample is old: run tools/conformance_sample.py --write\n{made}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Write the pages of `docs/contract/` from the rules that the products ship.

`python tools/contract_pages.py` checks that the pages are those of the rules; `--write` writes
them.
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import contract_examples

from devicestatus.http import endpoints as device_endpoints
from healthapi.http import endpoints as health_endpoints
from purewire.adapters.contract import Contract, read_contract
from purewire.endpoints import Endpoint
from sitedata.serving import service as site_service

PAGES: Final = {
    "devicestatus": "device-status.md",
    "healthapi": "health-api.md",
    "sitedata": "site-data.md",
}
"""Product to the name of its page."""
ENDPOINTS: Final[Mapping[str, Sequence[Endpoint]]] = {
    "devicestatus": device_endpoints.ENDPOINTS,
    "healthapi": health_endpoints.ENDPOINTS,
    "sitedata": (site_service.ENDPOINT,),
}
"""Product to its paths."""
FOLDER: Final = Path(__file__).parents[1] / "docs" / "contract"

_READERS: Final = {
    "devicestatus": "write a service, an agent or a consumer of device status",
    "healthapi": "write a service or a consumer of health data",
    "sitedata": "build, serve or read site data",
}
"""Product to whom its page is for."""
_FINDINGS: Final = {
    "devicestatus": "rules.md",
    "healthapi": "health-folder.md#findings",
    "sitedata": "site-data.md#errors",
}
"""Product to the page that describes its findings."""
_NEXT: Final = {
    "devicestatus": """
New here? [Your own service](../tutorials/own-service.md) goes from the first request to a tested
service, step by step. For snapshots alone, leave out `POST /api/batch` and the groups
[window](#window-protocol-v2), [events](#events-of-a-window), [gaps](#gaps-of-a-window),
[projection](#delayed-projection), and those from [consumer playback](#consumer-playback) on.
""",
}
_EXAMPLES_TEXT: Final = (
    "The examples are what this package sends at fixed times. Where no status and headers are"
    " shown, they are those of the first response. `…` stands for further items and members, and"
    " for those of an object that was shown before. An entity tag is any text that changes with"
    " the body."
)
_INTRODUCTION: Final = """\
# Contract: {title}

For all who {readers}, in any language: {count} numbered rules, and an example of each resource.
Ids are stable: cite a rule by its id. A rule is a **must** unless *should* follows its id, which
has exceptions with a reason, or *may*, a permission; then come the names of its
[findings]({findings}).
{next}
[Test cases](../reference/vectors.md) and [schemas](../reference/schemas.md) have the same contract
as files, and a [command]({conformance}) tests a running service.
[`rules.toml`](../../src/{product}/contract/rules.toml) has the origin and the limits of each
rule.
"""


def page(product: str) -> str:
    """Return the page of a product."""
    contract = read_contract(product)
    head = _INTRODUCTION.format(
        title=contract.title.lower(),
        readers=_READERS[product],
        count=len(contract.rules),
        next=_NEXT.get(product, ""),
        product=product,
        findings=f"../reference/{_FINDINGS[product]}",
        conformance="../reference/conformance.md",
    )
    parts = (_resources(product), _groups(contract))
    return "\n".join([head, *(line for part in parts for line in part)]) + "\n"


def _resources(product: str) -> Iterator[str]:
    """Yield a list of all paths, and examples."""
    endpoints = ENDPOINTS[product]
    (usual, _), *_ = Counter(endpoint.methods for endpoint in endpoints).most_common(1)
    (codes, _), *_ = Counter(endpoint.error_codes for endpoint in endpoints).most_common(1)
    yield from ("## Resources", "")
    for endpoint in endpoints:
        path = f"{_quoted(endpoint.paths)} {_methods(endpoint, usual)}".rstrip()
        accepted = f"; accepts {text}" if (text := _accepted(endpoint)) else ""
        errors = f"; errors: {_quoted(endpoint.error_codes) or 'none'}"
        own = "" if endpoint.error_codes == codes else errors
        yield f"- {path}: {_lower(endpoint.title)}{accepted}{own}"
    token = " `POST` needs the token." if any(each.body for each in endpoints) else ""
    methods = f"Every path supports OPTIONS and, where no methods stand, {' and '.join(usual)}."
    errors = f" Where no errors stand, the only ones of a path are {_quoted(codes)}."
    yield from ("", f"{methods}{errors}{token} {_EXAMPLES_TEXT}", "")
    yield from contract_examples.lines(product)
    yield "## Rules"


def _methods(endpoint: Endpoint, usual: tuple[str, ...]) -> str:
    """Return the methods of an endpoint in brackets, if they are not the usual ones."""
    return "" if endpoint.methods == usual else f"({', '.join(endpoint.methods)})"


def _accepted(endpoint: Endpoint) -> str:
    """Return the parameters of the query with their ranges, or the size of the body."""
    if endpoint.body is not None:
        return f"at most {endpoint.body.max_bytes:,} bytes"
    return ", ".join(
        f"`{parameter.name}`{_range(parameter.schema)}" for parameter in endpoint.parameters
    )


def _range(schema: Mapping[str, Any]) -> str:
    """Return the default and the bounds of a parameter as text."""
    default = f": {schema['default']}" if "default" in schema else ""
    bounds = f" ({schema['minimum']} to {schema['maximum']})" if "minimum" in schema else ""
    return f"{default}{bounds}"


def _lower(title: str) -> str:
    return f"{title[0].lower()}{title[1:]}"


def _groups(contract: Contract) -> Iterator[str]:
    for group, title in contract.groups.items():
        yield f"\n### {title}\n"
        for rule in contract.rules.values():
            if rule.group == group:
                level = "" if rule.level == "must" else f" *{rule.level}*"
                findings = f" ({_quoted(rule.findings)})" if rule.findings else ""
                yield f"**{rule.id}**{level}{findings}: {rule.text}\n"


def _quoted(references: Iterable[str]) -> str:
    return ", ".join(f"`{reference}`" for reference in references)


def main(arguments: list[str]) -> int:
    """Check the pages, or write them with `--write`; return the exit code."""
    stale = [name for product, name in PAGES.items() if _differs(FOLDER / name, page(product))]
    if arguments == ["--write"]:
        FOLDER.mkdir(exist_ok=True)
        for product, name in PAGES.items():
            (FOLDER / name).write_text(page(product), "utf-8")
        return 0
    for name in stale:
        print(f"docs/contract/{name}: not made from the rules; run with --write")
    return 1 if stale else 0


def _differs(path: Path, text: str) -> bool:
    return not path.exists() or path.read_text("utf-8") != text


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

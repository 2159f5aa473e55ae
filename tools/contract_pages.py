"""Write the pages of `docs/contract/` from the rules that the products ship.

`python tools/contract_pages.py` checks that the pages are those of the rules; `--write` writes
them.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import contract_examples

from devicestatus.http import endpoints as device_endpoints
from healthapi.http import endpoints as health_endpoints
from purewire.adapters.contract import read_contract
from purewire.contract_rules import Contract, Rule
from purewire.http.endpoints import Endpoint
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
_NEXT: Final = {
    "devicestatus": """
New here? [Your own service](../tutorials/own-service.md) goes from the first request to a tested
service, step by step. For snapshots alone, leave out `POST /api/batch` and the groups
[window](#window-protocol-v2), [events](#events-of-a-window), [gaps](#gaps-of-a-window),
[projection](#delayed-projection), and those from [consumer playback](#consumer-playback) on.
""",
}
_EXAMPLES_TEXT: Final = (
    "The examples are what this package sends at fixed times; in long lists of objects only the"
    " first two are shown, and an entity tag is any text that changes with the body."
)
_INTRODUCTION: Final = """\
# Contract: {title}

For all who {readers}, in any language: {count} numbered rules, and an example of each resource.
Ids are stable: cite a rule by its id. A **must** is required, a **should** has exceptions with
a reason, a **may** is a permission.
{next}
[Test cases](../reference/vectors.md) and [schemas](../reference/schemas.md) have the same contract
as files, and a [command]({conformance}) tests a running service. What implements and tests a rule
in this package is folded up below each group, with its findings and its origin: a section of the
specification, `decisions` or `facts` on what is open, or `own`.
"""


def page(product: str) -> str:
    """Return the page of a product."""
    contract = read_contract(product)
    head = _INTRODUCTION.format(
        title=contract.title.lower(),
        readers=_READERS[product],
        count=len(contract.rules),
        next=_NEXT.get(product, ""),
        conformance="../reference/"
        + ("conformance.md" if product == "devicestatus" else "conformance-read-only.md"),
    )
    parts = (_endpoints(product), _contents(contract), _groups(contract, product))
    return "\n".join([head, *(line for part in parts for line in part)]) + "\n"


def _endpoints(product: str) -> Iterator[str]:
    """Yield the list of all paths, and an example of each."""
    yield from ("## Resources", "")
    for endpoint in ENDPOINTS[product]:
        paths = ", ".join(f"`{path}`" for path in endpoint.paths)
        yield f"- {', '.join(endpoint.methods)} {paths}: {_lower(endpoint.title)}"
    token = " `POST` needs the token." if any(each.body for each in ENDPOINTS[product]) else ""
    yield from ("", f"`OPTIONS` works on every path.{token} {_EXAMPLES_TEXT}", "")
    yield from contract_examples.lines(product)
    yield from ("## Rules", "")


def _lower(title: str) -> str:
    return f"{title[0].lower()}{title[1:]}"


def _contents(contract: Contract) -> Iterator[str]:
    yield "| group | ids | rules |"
    yield "| --- | --- | --- |"
    for group, title in contract.groups.items():
        count = sum(rule.group == group for rule in contract.rules.values())
        yield f"| [{title}](#{_anchor(title)}) | {contract.prefix}-{group} | {count} |"


def _anchor(title: str) -> str:
    kept = "".join(char for char in title.lower() if char.isalnum() or char in " -")
    return kept.replace(" ", "-")


def _groups(contract: Contract, product: str) -> Iterator[str]:
    for group, title in contract.groups.items():
        rules = [rule for rule in contract.rules.values() if rule.group == group]
        yield f"\n### {title}\n"
        for rule in rules:
            yield f'- <a id="{rule.id.lower()}"></a>**{rule.id}** {rule.level}: {rule.text}'
        yield from ("", "<details>", f"<summary>In Python: {title}</summary>", "")
        for rule in rules:
            yield f"- {rule.id}. {_references(rule, product)}"
        yield from ("", "</details>")


def _references(rule: Rule, product: str) -> str:
    """Return what implements, tests and reports the rule, and where it is from."""
    limits = [f"`{_name(key)}` = {value:,}" for key, value in rule.limits.items()]
    parts = {
        "Limits": ", ".join(limits),
        "Findings": _quoted(rule.findings),
        "Code": _quoted(_short_code(reference, product) for reference in rule.implemented_by),
        "Tests": _quoted(_short_test(reference) for reference in rule.tested_by),
        "Reason": rule.reason.removesuffix(".") if rule.reason else "",
        "Source": ", ".join(rule.source),
    }
    return " ".join(f"{name}: {text}." for name, text in parts.items() if text)


def _name(limit: str) -> str:
    return limit.rsplit(":", 1)[-1]


def _quoted(references: Iterable[str]) -> str:
    return ", ".join(f"`{reference}`" for reference in references)


def _short_code(reference: str, product: str) -> str:
    """Return a reference without `src/` and the package of the product."""
    path = reference.removeprefix("src/")
    return path.removeprefix(product).lstrip("./").replace(":", ".")


def _short_test(reference: str) -> str:
    path, _, name = reference.partition("::")
    module = Path(path).stem
    return f"{module}::{name}" if name else module


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

"""Write the pages of `docs/contract/` from the rules that the products ship.

`python tools/contract_pages.py` checks that the pages are those of the rules; `--write` writes
them.
"""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from purewire.adapters.contract import read_contract
from purewire.contract_rules import Contract, Rule

PAGES: Final = {
    "devicestatus": "device-status.md",
    "healthapi": "health-api.md",
    "sitedata": "site-data.md",
}
"""Product to the name of its page."""
FINDINGS: Final = {
    "devicestatus": "../reference/rules.md",
    "healthapi": "../reference/health-folder.md",
    "sitedata": "../reference/site-data.md",
}
"""Product to the page that lists the ids of its findings."""
FOLDER: Final = Path(__file__).parents[1] / "docs" / "contract"

_INTRODUCTION: Final = """\
# Contract: {title}

{count} numbered rules: what a service, an agent and a consumer must, should or may do.
Ids are stable: cite a rule by its id.
This page is made from `src/{product}/contract/rules.toml`, which is part of the package.

- **Limits**: the numbers of the rule, by the name of the constant.
- **Findings**: ids of the [findings]({findings}) that report a breach.
- **Code**: what implements it; names without a package are of `{product}`.
- **Tests**: test modules and classes. **Reason**: why there is no code or no test.
- **Source**: a section of the specification, `decisions` or `facts` on what is open, or `own`.
"""


def page(product: str) -> str:
    """Return the page of a product."""
    contract = read_contract(product)
    head = _INTRODUCTION.format(
        title=contract.title.lower(),
        count=len(contract.rules),
        product=product,
        findings=FINDINGS[product],
    )
    return "\n".join([head, *_contents(contract), *_groups(contract, product)]) + "\n"


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
        yield f"\n## {title}\n"
        for rule in contract.rules.values():
            if rule.group == group:
                yield from _lines(rule, product)


def _lines(rule: Rule, product: str) -> Iterator[str]:
    """Generate the rule with its limits, and a second line with all references."""
    limits = [f"`{_name(key)}` = {value:,}" for key, value in rule.limits.items()]
    numbers = f" Limits: {', '.join(limits)}." if limits else ""
    parts = {
        "Findings": _quoted(rule.findings),
        "Code": _quoted(_short_code(reference, product) for reference in rule.implemented_by),
        "Tests": _quoted(_short_test(reference) for reference in rule.tested_by),
        "Reason": rule.reason.removesuffix(".") if rule.reason else "",
        "Source": ", ".join(rule.source),
    }
    yield f'- <a id="{rule.id.lower()}"></a>**{rule.id}** {rule.level}: {rule.text}{numbers}'
    yield "  " + " ".join(f"{name}: {text}." for name, text in parts.items() if text)


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

"""Write a proposal as the text of a settings file, with comments for its owner.

Invariant *the text is the tables*: parsing it gives the tables of the proposal.

Contract: SD-INIT-01, SD-INIT-04.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from purewire.text import plural
from sitedata.building.detecting.drafts import Draft
from sitedata.building.detecting.proposal import Proposal, RuleCount
from sitedata.building.history import Dates
from sitedata.building.platforms import ROOT

_HEAD: Final = """\
# Settings of `sitedata build`, written by `sitedata init`.  Everything may be changed or removed;
# what is not here has its built-in value.  The format:
# https://github.com/status-contracts/status-contracts/blob/main/docs/reference/site-data-rules.md

{dates}# zone = "Europe/Berlin"      # whose days are counted; without this UTC
"""
_DATES: Final[Mapping[Dates, str]] = {
    "last-touched": """\
# dates = "first-added"       # what dates a file; without this the newest commit that touched it
""",
    "first-added": """\
# What dates a file: the commit that added it, because edits moved the dates of many to one day.
dates = "first-added"
""",
}
_RATINGS: Final = "# The platforms that were found here, as keys of the snapshot's ratings."
_ADDRESS: Final = """\
# Owner, name and host come from the remote URL of the repository; these replace it.
[repository]"""
_ADDRESS_EXAMPLES: Final = {"owner": '# owner = "ada"', "name": '# name = "practice"'}
_IGNORED: Final = {
    "keep": "# All solutions are here, so it is not ignored.",
    "files": "# Tests of exercises: file names, in any folder.",
    "folders": "# Folders of tests and notes, at any depth.",
}
_NOTEBOOKS: Final = """\
# [languages]
# ipynb = "Python"            # files with this extension are not published without this line
"""
_IGNORE_EXAMPLE: Final = '# roots = ["drafts"]         # first folders that are not published'


def settings_text(proposal: Proposal) -> str:
    """Return the text of a settings file, in TOML."""
    return "\n".join(_blocks(proposal))


def _blocks(proposal: Proposal) -> Iterator[str]:
    address, ignored = proposal.base["repository"], proposal.base["ignore"]
    yield _HEAD.replace("{dates}", _DATES[proposal.settings.dates])
    yield f"{_RATINGS}\nratings = {_list(proposal.ratings)}\n"
    lines = (_setting(name, address) or line for name, line in _ADDRESS_EXAMPLES.items())
    yield "\n".join((_ADDRESS, *lines, ""))
    lines = (
        f"{line}\n{_setting(name, ignored)}" for name, line in _IGNORED.items() if name in ignored
    )
    yield "\n".join(("[ignore]", _IGNORE_EXAMPLE, *lines, ""))
    if proposal.notebooks:
        yield _NOTEBOOKS
    for draft in proposal.drafts:
        if draft.folders or draft.proposed:
            yield "\n".join((*_draft(draft, proposal.rules), ""))


def _setting(name: str, values: Mapping[str, str | list[str]]) -> str | None:
    value = values.get(name)
    if value is None:
        return None
    return f"{name} = {_string(value) if isinstance(value, str) else _list(value)}"


def _draft(draft: Draft, rules: Iterable[RuleCount]) -> Iterator[str]:
    if draft.folders:
        yield f"[platforms.{draft.name}]"
        if ROOT in draft.folders:
            yield '# "." is the whole repository, except the folders of other platforms.'
        elif draft.is_built_in:
            yield "# In addition to the built-in names of its folder."
        yield f"folders = {_list(draft.folders)}"
        yield from [""] if draft.proposed else []
    counts = {rule.form: rule.files for rule in rules if rule.platform == draft.name}
    for number, each in enumerate(draft.proposed):
        yield from [""] if number else []
        yield f"[[platforms.{draft.name}.layouts]]"
        yield f"# {each.form}: {plural(counts[each.form], 'file')}"
        yield f"path = '{each.layout.path}'"
        yield f"title = {_string(each.layout.title)}"
        comment = "" if each.layout.url else "  # the link is that of the file"
        yield f"url = {_string(each.layout.url or '')}{comment}"


def _list(items: Iterable[str]) -> str:
    texts = list(map(_string, items))
    line = f"[{', '.join(texts)}]"
    if len(line) <= 80:  # noqa: PLR2004 - the width of a usual terminal
        return line
    return "[\n" + "".join(f"    {text},\n" for text in texts) + "]"


def _string(text: str) -> str:
    """Return a basic string of TOML: that of JSON, with all that cannot be printed escaped."""
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in quoted)

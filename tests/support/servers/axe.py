"""Accessibility of a page in a browser, checked by axe-core.

    with open_session() as session:
        session.open(url)
        session.until("document.querySelector('h1')")
        assert accessibility_problems(session) == []

A phone in light and a window in dark are checked; the page need not allow the script of axe.
"""

from typing import Final

from support.servers.services import node_package
from support.servers.webdriver import Session

SHOWN: Final = ((390, 844, "light"), (1100, 900, "dark"))
# Every rule of WCAG 2.2 A and AA and of best practice; "incomplete" results need a person.
# To write a selector of each element, also of those without a problem, would double the time.
_RUN: Final = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"], selectors: false}).then(
  ({violations}) => done(violations.flatMap(({id, help, nodes}) =>
    nodes.map(({html, failureSummary}) => `${id}: ${help}: ${html}: ${failureSummary}`))),
  (error) => done([`axe failed: ${error}`]));
"""


def axe_problems(session: Session) -> list[str]:
    """Return what axe reports of the open page as it is shown now; one text per element."""
    if session.ask("typeof axe") == "undefined":
        source = (node_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
        session.report("Runtime.evaluate", expression=source)
    problems: list[str] = session.call("POST", "/execute/async", {"script": _RUN, "args": []})
    return problems


def accessibility_problems(session: Session) -> list[str]:
    """Return the problems of the open page in both sizes and colour schemes, with their label."""
    found: list[str] = []
    for width, height, scheme in SHOWN:
        session.resize(width, height)
        session.set_media(**{"prefers-color-scheme": scheme})
        found += (f"{width} px, {scheme}: {each}" for each in axe_problems(session))
    return found

"""Run the kits of products that only read, on applications whose answers may be changed."""

import json
from collections.abc import Callable, Collection
from typing import Any

import attrs

from status_contracts.conformance.http import InProcess, Reply, Send
from status_contracts.conformance.runner import Kit, Run
from status_contracts.exchange import Clock

Change = Callable[[Send, Reply], Reply | None]

HANDED_ON = ("endpoints", "icons", "wrong uploads")
"""Sections of device status about what servers and frameworks hand on: requests and answers."""


@attrs.define(eq=False, slots=False)
class Changed(InProcess):
    """A client whose answers are changed; None for those that stay."""

    change: Change = lambda _, __: None

    def send(self, request: Send) -> Reply:
        """Send a request, and return the changed answer."""
        reply = super().send(request)
        return self.change(request, reply) or reply


def only(kit: Kit, sections: Collection[str]) -> Kit:
    """Return a kit with some of its sections; with all if none is given."""
    chosen = [each for each in kit.sections if not sections or each.name in sections]
    return attrs.evolve(kit, sections=chosen)


def run_kit(
    kit: Kit,
    make_app: Callable[[Clock], Any],
    change: Change = lambda _, __: None,
    *,
    profile: str = "full",
    sections: Collection[str] = (),
) -> Run:
    """Run some sections on an application, by default all, and return the run."""
    run = Run(only(kit, sections), Changed(make_app, change=change), profile=profile)
    list(run.perform())
    return run


def found_by(run: Run) -> list[str]:
    """Return what is wrong, one line for each kind of difference."""
    return [f"{next(iter(cause.rules))} {cause.line}" for cause in run.causes.values()]


def edited(end: str, edit: Callable[[Any], object]) -> Change:
    """Return a change of the JSON bodies of successful answers whose path ends with a text."""

    def change(send: Send, reply: Reply) -> Reply | None:
        if not send.path.partition("?")[0].endswith(end) or reply.status != 200 or not reply.body:
            return None
        value = json.loads(reply.body)
        edit(value)
        return attrs.evolve(reply, body=json.dumps(value, separators=(",", ":")).encode())

    return change


def replaced(end: str, old: bytes, new: bytes) -> Change:
    """Return a change of the bytes of bodies of answers whose path ends with a text."""

    def change(send: Send, reply: Reply) -> Reply | None:
        is_it = send.path.partition("?")[0].endswith(end)
        return attrs.evolve(reply, body=reply.body.replace(old, new)) if is_it else None

    return change

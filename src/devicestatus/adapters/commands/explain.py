"""`devicestatus explain`: explain why a stored record is online or offline, and until when."""

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from devicestatus.adapters.commands.inputs import (
    load_settings,
    parse_time,
    read_file,
    stored_value,
    ttl_of,
)
from devicestatus.engine.explanation import Explanation, explain, explanation_fields
from devicestatus.engine.status_text import format_time, reason_text
from purewire.adapters.commands.exit_codes import OK
from purewire.adapters.commands.terminal import echo, write_json
from purewire.structuring.to_builtins import to_builtins


def run(arguments: Namespace) -> int:
    """Explain the stored value in a file; a corrupt one is explained as well."""
    configured = load_settings(ttl=arguments.ttl)
    now = parse_time("--at", arguments.at)
    ttl_of(configured)
    explanation = explain(stored_value(read_file(arguments.file), configured), now, configured)
    if arguments.json:
        write_json(_value(explanation))
    else:
        for line in _lines(explanation):
            echo(line)
    return OK


def _lines(explanation: Explanation) -> Iterator[str]:
    """Yield the lines that explain the status, and until when it holds."""
    if explanation.reason is None:
        yield "online"
    else:
        yield f"offline: {reason_text(explanation.reason, explanation.gap)}"
    yield from (f"{name}: {text}" for name, text in explanation_fields(explanation).items())


def _value(explanation: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON-compatible values."""
    gap, deadline, change = explanation.gap, explanation.deadline, explanation.next_change_at
    return {
        "online": explanation.online,
        "reason": explanation.reason,
        "gap": None if gap is None else to_builtins(gap),
        "deadline": deadline and {"at": format_time(deadline.at), "rule": deadline.rule},
        "next_change_at": None if change is None else format_time(change),
    }

"""Device status compared with other libraries: `python benchmarks/device.py` prints all figures.

- the verdict table: peers with the same rules accept and refuse the same bodies;
- parsing, refusing an error near the end, encoding, side by side;
- doubling: the cost is linear in the size of the body, whichever part is large.
"""

from collections.abc import Callable

from device_data import (
    NOON,
    READERS,
    RECEIVED_AT,
    REFUSALS,
    VERDICTS,
    PWindow,
    Read,
    snapshot_plain,
    window_plain,
)
from measuring import compare, show

from devicestatus import ContractError, limits, parse_window
from status_contracts import json_text as codec
from status_contracts.structuring.converter import unstructure

ROUNDS = 31
OURS = "devicestatus"


def verdicts() -> None:
    """Print the verdict of every peer on every body; all must be correct."""
    print(f"\n{'':9}{'':28}{'valid':>7}  " + "  ".join(READERS))
    for kind, bodies in VERDICTS.items():
        for name, body, valid in bodies:
            found = [accepts(reader[kind], body) for reader in READERS.values()]
            if found != [valid] * len(found):
                raise ValueError(f"they disagree about a {kind}, {name}: {found}")
            row = (f"{word(each):<{len(peer)}}" for peer, each in zip(READERS, found, strict=True))
            print(f"{kind:9}{name:28}{word(valid):>7}  " + "  ".join(row))
    expected = [valid for bodies in VERDICTS.values() for _, _, valid in bodies]
    taken = expected.count(True)
    print(f"all {len(READERS)} take the same {taken} and refuse the same {len(expected) - taken}")


def word(accepted: object) -> str:
    """Return the text of a verdict."""
    return "yes" if accepted else "no"


def accepts(read: Read, body: bytes) -> bool:
    """Check whether a reader accepts a body."""
    try:
        read(body)
    except (ContractError, *REFUSALS):
        return False
    return True


def again(call: Callable[[], object], times: int) -> Callable[[], None]:
    """Return a function that repeats a call, for calls too short to measure."""

    def calls() -> None:
        for _ in range(times):
            call()

    return calls


def reading() -> None:
    """Measure parsing valid bodies."""
    bodies = (
        ("snapshot", snapshot_plain(), 200),
        ("window", window_plain(200, 12), 4),
        ("window", window_plain(limits.WINDOW_EVENTS, limits.WINDOW_GAPS), 1),
    )
    for kind, plain, times in bodies:
        body = codec.encode(plain)
        title = f"{kind} of {len(body)} bytes, {len(plain.get('events', ()))} events, {times} times"
        measure(title, kind, body, times)


def refusing() -> None:
    """Measure refusing windows whose last event has a wrong type or the wrong order."""
    body = codec.encode(window_plain(limits.WINDOW_EVENTS, limits.WINDOW_GAPS))
    for name, fault in (("no number", b'"x"'), ("the number before", b"2047")):
        late = body.replace(b'"seq":2048,', b'"seq":%b,' % fault)
        measure(f"refusing {len(late)} bytes, last event: {name}", "window", late, 1)


def measure(title: str, kind: str, body: bytes, times: int) -> None:
    """Measure all peers on one body, accepted or refused."""
    contenders: dict[str, Callable[[], object]] = {
        peer: again(lambda read=reader[kind]: accepts(read, body), times)  # type: ignore[misc]
        for peer, reader in READERS.items()
    }
    show(title, compare(contenders, rounds=ROUNDS))


def writing() -> None:
    """Measure encoding."""
    body = codec.encode(window_plain(limits.WINDOW_EVENTS, limits.WINDOW_GAPS))
    window = parse_window(body, received_at=RECEIVED_AT)
    pydantic = PWindow.model_validate_json(body)
    show(
        f"writing a window of {len(body)} bytes",
        compare(
            {
                "pydantic: model_dump_json": lambda: pydantic.model_dump_json(exclude_unset=True),
                "devicestatus: encode(unstructure)": lambda: codec.encode(unstructure(window)),
            },
            rounds=ROUNDS,
        ),
    )


def doubling() -> None:
    """Show that doubling a part at most doubles the time."""
    grown: dict[str, Callable[[int], bytes]] = {
        "events": lambda count: codec.encode(window_plain(count)),
        "gaps": lambda count: codec.encode(window_plain(0, count)),
        "apps": lambda count: codec.encode(window_plain(0, apps=count)),
        "spaces": lambda count: codec.encode(window_plain(0)) + b" " * count,
        "faulty events": lambda count: codec.encode(window_plain(count)).replace(
            b'"seq"', b'"seq":1,"more"'
        ),
    }
    most = {"events": 2048, "gaps": 128, "apps": 64, "spaces": 2**18, "faulty events": 2048}
    read = READERS[OURS]["window"]
    for part, make in grown.items():
        counts = [most[part] >> shift for shift in (4, 3, 2, 1, 0)]
        bodies = {f"{count} {part}": make(count) for count in counts}
        show(
            f"doubling {part}, 10 times",
            compare(
                {
                    name: again(lambda body=body: accepts(read, body), 10)  # type: ignore[misc]
                    for name, body in bodies.items()
                },
                rounds=ROUNDS // 2,
            ),
        )


if __name__ == "__main__":
    print(f"snapshots are received at {NOON}, windows at {RECEIVED_AT}")
    verdicts()
    reading()
    refusing()
    writing()
    doubling()

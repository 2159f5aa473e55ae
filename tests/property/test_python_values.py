"""Any Python value in any member of a model or of a plain value is a finding or valid.

Invariants *nothing else is raised* and *encode agrees with check*.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus import ContractError, Finding, check_snapshot, check_window, encode
from devicestatus.agent.recorder import Recorder
from devicestatus.models import Snapshot
from status_contracts.primitives import ABSENT
from status_contracts.structuring.converter import unstructure
from support.devicestatus.examples import COVERED_SONG, NOON, SESSION, event, gap, snapshot, window

FULL = snapshot(music=COVERED_SONG, running_apps=("Editor",))
EVENT = event(1, NOON, active_app="Mail", battery=FULL.battery)
WINDOW = window(baseline=FULL, events=(EVENT,), gaps=(gap(NOON + 1, NOON + 2),))

Path = tuple[str | int, ...]

VALUES: st.SearchStrategy[Any] = st.one_of(
    st.none(),
    st.booleans(),
    st.integers() | st.just(10**400) | st.just(NOON),
    st.floats() | st.decimals() | st.fractions() | st.complex_numbers(),
    st.text() | st.binary(),
    st.datetimes() | st.datetimes(timezones=st.just(UTC)) | st.dates() | st.timedeltas(),
    st.uuids() | st.just(UUID(SESSION)),
    st.lists(st.text() | st.integers()) | st.tuples(st.text()) | st.sets(st.text()),
    st.dictionaries(st.text() | st.integers(), st.text() | st.floats()),
    st.sampled_from([ABSENT, object(), Snapshot, FULL, FULL.battery, WINDOW, range(3), datetime]),
)


def paths(value: Any) -> Iterator[Path]:
    """Generate the paths to all members and items below a model or a plain value."""
    if attrs.has(type(value)):
        inner = {field.name: getattr(value, field.name) for field in attrs.fields(type(value))}
    elif isinstance(value, dict):
        inner = value
    elif isinstance(value, list | tuple):
        inner = dict(enumerate(value))
    else:
        return
    for step, each in inner.items():
        yield (step,)
        yield from ((step, *path) for path in paths(each))


def replaced(value: Any, path: Path, new: object) -> Any:
    """Return a copy with another value at a path."""
    if not path:
        return new
    step, *rest = path
    if isinstance(step, str) and not isinstance(value, dict):
        return attrs.evolve(value, **{step: replaced(getattr(value, step), tuple(rest), new)})
    inner = replaced(value[step], tuple(rest), new)
    if isinstance(value, dict):
        return {**value, step: inner}
    return type(value)(inner if at == step else each for at, each in enumerate(value))


@pytest.mark.parametrize("model", [FULL, WINDOW], ids=["snapshot", "window"])
@given(data=st.data(), wrong=VALUES)
def test_any_value_in_a_member_is_valid_or_a_finding(
    model: Any, data: st.DataObject, wrong: object
) -> None:
    check: Callable[..., tuple[Finding, ...]] = (
        check_snapshot if isinstance(model, Snapshot) else check_window
    )
    broken = replaced(model, data.draw(st.sampled_from(list(paths(model)))), wrong)
    findings = check(broken, received_at=NOON)
    assert all(finding.path for finding in findings)
    if findings:
        with pytest.raises(ContractError) as refused:
            encode(broken, received_at=NOON)
        assert refused.value.findings == findings
    else:
        assert check(encode(broken), received_at=NOON) == ()

    plain = unstructure(model)
    check(replaced(plain, data.draw(st.sampled_from(list(paths(plain)))), wrong))


@given(st.sampled_from(list(paths(FULL))), VALUES, VALUES)
def test_any_value_in_a_sample_is_recorded_or_refused(path: Path, wrong: object, wall: Any) -> None:
    recorder = Recorder(SESSION)
    recorder.observe(FULL, wall_ms=NOON, monotonic_ms=0)
    recorder.observe(FULL, wall_ms=wall, monotonic_ms=1)
    recorder.observe(replaced(FULL, path, wrong), wall_ms=NOON + 1, monotonic_ms=1)

"""The faults that `make power` plants can be planted, and the likeliest tests run first."""

from pathlib import Path

import attrs
import pytest

from power.run import FOLDERS, ROOT, Fault, concerned_by, in_order, read_faults

FAULTS = {fault.id: fault for fault in read_faults()}
FAULT = Fault("A", "a kind", "devicestatus", "before", "after")


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_fault_has_one_place_and_leaves_valid_python(fault: Fault) -> None:
    path = fault.place(ROOT)
    sound = path.read_text("utf-8")
    planted = sound.replace(fault.before, fault.after)
    assert planted != sound
    compile(planted, path, "exec")
    assert fault.product in FOLDERS


def test_no_two_faults_have_an_id() -> None:
    assert len(FAULTS) == len(read_faults())


@pytest.mark.parametrize(
    ("text", "places"), [("nothing", 0), ("before before", 2), ("before", 1), ("before\n" * 3, 3)]
)
def test_a_text_at_no_place_or_at_several_cannot_be_planted(
    tmp_path: Path, text: str, places: int
) -> None:
    source = tmp_path / "src" / "package" / "module.py"
    source.parent.mkdir(parents=True)
    source.write_text(text)
    if places == 1:
        assert FAULT.place(tmp_path) == source
        return
    with pytest.raises(LookupError, match=f"at {places} places"):
        FAULT.place(tmp_path)


def test_a_name_of_a_file_tells_places_apart(tmp_path: Path) -> None:
    for name in ("one.py", "two.py"):
        path = tmp_path / "src" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("before")
    assert attrs.evolve(FAULT, file="two.py").place(tmp_path) == tmp_path / "src" / "two.py"


def test_concerned_by_the_module_come_first() -> None:
    files = [
        "tests/test_vectors.py",
        "tests/devicestatus/test_badge.py",
        "tests/devicestatus/test_projection.py",
    ]
    likely, others = in_order(files, FAULTS["D05"].place(ROOT).relative_to(ROOT))
    assert likely[0] == "tests/devicestatus/test_projection.py"
    assert sorted((*likely, *others)) == sorted(files)


def test_a_product_has_the_tests_that_import_it() -> None:
    files = concerned_by("healthapi")
    assert {"tests/healthapi", "tests/property/test_health_numbers.py"} <= set(files)
    assert "tests/property/test_projection_properties.py" not in files

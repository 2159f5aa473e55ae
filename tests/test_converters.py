"""`configure_converter`: models of the contract inside models of a user's, on any converter."""

from collections.abc import Callable
from typing import Any

import attrs
import cattrs
import pytest
from cattrs.preconf import json as preconf_json

import devicestatus.converters
import devicestatus.responses
import sitedata.converters
from devicestatus import Snapshot, Window, unstructure
from devicestatus.responses import OfflineStatus, UpdateResult
from status_contracts import json_text
from status_contracts.structuring.converter import ConstraintError
from support.devicestatus.examples import NOON, event, plain, snapshot, window
from support.sitedata.site_examples import PLAIN as SITE_PLAIN
from support.sitedata.site_examples import SNAPSHOT as SITE

SNAPSHOT = snapshot()
WINDOW = window(events=(event(1, NOON),))
CONVERTERS: dict[str, Callable[[], cattrs.BaseConverter]] = {
    "forbids extra keys": lambda: cattrs.Converter(forbid_extra_keys=True),
    "ignores extra keys": cattrs.Converter,
    "JSON": preconf_json.make_converter,
    "without details": lambda: cattrs.Converter(detailed_validation=False),
    "without code generation": cattrs.BaseConverter,
    "other settings": lambda: cattrs.Converter(
        omit_if_default=True, use_alias=True, prefer_attrib_converters=True
    ),
}


@attrs.frozen
class Report:
    """A user's class with models of two contracts."""

    host: str
    snapshot: Snapshot | None
    windows: list[Window]
    practice: sitedata.Snapshot


REPORT = Report("laptop", SNAPSHOT, [WINDOW], SITE)
REPORT_PLAIN = {
    "host": "laptop",
    "snapshot": plain(SNAPSHOT),
    "windows": [plain(WINDOW)],
    "practice": SITE_PLAIN,
}


@pytest.fixture(params=CONVERTERS.values(), ids=list(CONVERTERS))
def converter(request: pytest.FixtureRequest) -> Any:
    made = request.param()
    devicestatus.converters.configure_converter(made)
    sitedata.converters.configure_converter(made)
    return made


def problems(error: BaseException) -> list[str]:
    """Return the errors of a converter, with the texts of the contract."""

    def text(leaf: BaseException, of: Any) -> str:
        is_ours = isinstance(leaf, ConstraintError)
        return str(leaf) if is_ours else cattrs.v.format_exception(leaf, of)

    return cattrs.transform_error(error, format_exception=text)


class TestAnyConverter:
    def test_models_go_there_and_back_as_json(self, converter: Any) -> None:
        assert converter.unstructure(REPORT) == REPORT_PLAIN
        assert json_text.decode(json_text.encode(converter.unstructure(REPORT))) == REPORT_PLAIN
        assert converter.structure(REPORT_PLAIN, Report) == REPORT

    @pytest.mark.parametrize(
        ("model", "value"), [(Snapshot, plain(SNAPSHOT)), (Window, plain(WINDOW))]
    )
    def test_a_record_refuses_unknown_members(
        self, converter: Any, model: type, value: dict[str, Any]
    ) -> None:
        with pytest.raises(cattrs.ClassValidationError) as caught:
            converter.structure(value | {"more": 1}, model)
        assert problems(caught.value) == ["extra fields found (more) @ $"]

    def test_site_data_keeps_unknown_members(self, converter: Any) -> None:
        wider = SITE_PLAIN | {"more": {"a": [1]}}
        made = converter.structure(wider, sitedata.Snapshot)
        assert made.extra == {"more": {"a": [1]}}
        assert converter.unstructure(made) == wider

    def test_a_response_ignores_unknown_members(self, converter: Any) -> None:
        value = {"status": "offline", "more": 1}
        assert converter.structure(value, OfflineStatus) == OfflineStatus()
        accepted = UpdateResult(0, 1)
        assert converter.structure(unstructure(accepted) | {"more": 1}, UpdateResult) == accepted

    @pytest.mark.parametrize(
        ("members", "problem"),
        [
            ({"active_app": ""}, "must have 1 to 200 code points @ $.active_app"),
            ({"active_app": 7}, "must be text @ $.active_app"),
            ({"running_apps": ["a", "a"]}, "must differ from all items before @ $.running_apps[1]"),
            ({"battery": {}}, "required field missing @ $.battery.percent"),
        ],
    )
    def test_nothing_is_coerced(
        self, converter: Any, members: dict[str, Any], problem: str
    ) -> None:
        with pytest.raises(cattrs.ClassValidationError) as caught:
            converter.structure(plain(SNAPSHOT) | members, Snapshot)
        assert problem in problems(caught.value)


def test_the_setting_of_the_user_governs_the_classes_of_the_user() -> None:
    wider = REPORT_PLAIN | {"more": 1}
    lenient, strict = cattrs.Converter(), cattrs.Converter(forbid_extra_keys=True)
    for converter in (lenient, strict):
        devicestatus.converters.configure_converter(converter)
        sitedata.converters.configure_converter(converter)
    assert lenient.structure(wider, Report) == REPORT
    with pytest.raises(cattrs.ClassValidationError) as caught:
        strict.structure(wider, Report)
    assert problems(caught.value) == ["extra fields found (more) @ $"]


def test_errors_of_both_are_listed_together() -> None:
    converter = cattrs.Converter(forbid_extra_keys=True)
    devicestatus.converters.configure_converter(converter)
    sitedata.converters.configure_converter(converter)
    broken = REPORT_PLAIN | {"snapshot": plain(SNAPSHOT) | {"system": []}, "windows": 7, "more": 1}
    with pytest.raises(cattrs.ClassValidationError) as caught:
        converter.structure(broken, Report)
    first, *others = problems(caught.value)
    assert first == "must be an object @ $.snapshot.system"
    assert [text.rpartition(" @ ")[2] for text in others] == ["$.windows", "$"]

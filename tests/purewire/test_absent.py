"""Invariant *absent is not null*: ABSENT is one value of its own."""

import copy
import pickle
from typing import assert_type

import pytest

from purewire.absent import ABSENT, Absent


class TestAbsent:
    def test_absent_is_not_null(self) -> None:
        other: object = None
        assert other is not ABSENT
        assert other != ABSENT

    def test_there_is_one_of_it(self) -> None:
        assert list(Absent) == [ABSENT]
        assert Absent(0) is ABSENT

    def test_it_is_false(self) -> None:
        assert not ABSENT

    def test_it_shows_its_name_only(self) -> None:
        assert repr(ABSENT) == "ABSENT"

    @pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy])
    def test_a_copy_is_the_value_itself(self, clone: object) -> None:
        assert callable(clone)
        assert clone(ABSENT) is ABSENT

    @pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
    def test_a_pickle_is_the_value_itself(self, protocol: int) -> None:
        again = pickle.loads(pickle.dumps(ABSENT, protocol))  # noqa: S301 - its own pickle
        assert again is ABSENT

    def test_type_checkers_narrow_by_identity(self) -> None:
        def given(value: str | Absent | None) -> str | None:
            if value is ABSENT:
                return "absent"
            assert_type(value, str | None)
            return value

        assert [given(ABSENT), given(None), given("")] == ["absent", None, ""]

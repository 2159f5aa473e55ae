"""Invariant *two paths, one result*: a body has a model, or findings, whoever asks first."""

from typing import Any

import pytest

from status_contracts.json_text import JsonDepthError, JsonTextError, encode
from status_contracts.structuring.decoder import ModelDecoder, ValidationError
from support.status_contracts.parcel_model import FULL, FULL_PLAIN, PARCEL, PLAIN, Parcel

DECODER = ModelDecoder(Parcel, cap=100)
FAULTY = {
    "a member at fault": FULL_PLAIN | {"count": 0},
    "another type": FULL_PLAIN | {"count": "1"},
    "no instant": FULL_PLAIN | {"sent_at": "1970-02-30T00:00:00Z"},
    "an unknown member": FULL_PLAIN | {"more": 1},
    "a member that is not there": {name: FULL_PLAIN[name] for name in FULL_PLAIN if name != "size"},
    "an item at fault": FULL_PLAIN | {"labels": [PLAIN["label"], {"name": "", "weight": 1}]},
    "a control character": FULL_PLAIN | {"note": "\n"},
    "no object": [],
}


class TestStructure:
    def test_a_sound_body_has_a_model(self) -> None:
        assert DECODER.decode(encode(FULL_PLAIN)) == FULL
        assert DECODER.try_decode(encode(FULL_PLAIN)) == FULL
        assert DECODER.model is Parcel

    def test_so_has_one_that_only_the_findings_path_accepts(self) -> None:
        body = encode(PLAIN).replace(b'"count":1', b'"count":1.0')
        assert body != encode(PLAIN)
        assert DECODER.try_decode(body) is None
        assert DECODER.decode(body) == PARCEL

    @pytest.mark.parametrize("value", FAULTY.values(), ids=FAULTY.keys())
    def test_a_invalid_body_has_findings(self, value: object) -> None:
        with pytest.raises(ValidationError) as caught:
            DECODER.decode(encode(value))
        findings = DECODER.validate(value)[1]
        assert findings != ()
        assert caught.value.find() == caught.value.find() == findings

    @pytest.mark.parametrize("name", ["no instant", "another type"])
    def test_where_one_place_is_enough_the_whole_is_not_read(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody has asked for the findings yet."""
        monkeypatch.delattr(ModelDecoder, "validate")
        with pytest.raises(ValidationError):
            DECODER.decode(encode(FAULTY[name]))

    def test_the_most_findings_are_named(self) -> None:
        make: Any = ModelDecoder
        with pytest.raises(TypeError):
            make(Parcel, 100)

    @pytest.mark.parametrize(
        ("changes", "where", "rejects"),
        [
            ({"label": {"name": "a", "weight": 11}}, ("label", "weight"), True),
            ({"label": {"name": "a", "weight": 11}}, ("label",), True),
            ({"labels": [PLAIN["label"], {"name": "a"}]}, ("labels", 1, "weight"), True),
            ({"labels": [PLAIN["label"], 1]}, ("labels", 1, "weight"), True),
            ({"labels": [PLAIN["label"]] * 3}, ("labels", 3), True),
            ({"label": []}, ("nowhere", "count"), True),
            ({"whole": {"name": "a", "weight": 4}}, ("whole", "weight"), True),
            ({"more": 1}, ("more",), True),
            ({"more": 1}, (), True),
            ({"size": "medium"}, ("count",), False),
            ({"size": "medium"}, ("label", "name"), False),
            ({"size": "medium"}, ("tags", 0), False),
            ({}, (), False),
            ({}, ("labels", 1, "weight"), False),
        ],
        ids=repr,
    )
    def test_a_place_is_invalid_where_the_fault_is_or_around_it(
        self, changes: dict[str, Any], where: tuple[str | int, ...], rejects: bool
    ) -> None:
        assert DECODER._rejects_at(FULL_PLAIN | changes, where) is rejects

    def test_what_is_no_json_is_neither(self) -> None:
        for body, error in (
            (b"{", JsonTextError),
            (b"[" * 200_000 + b"]" * 200_000, JsonDepthError),
        ):
            with pytest.raises(error):
                DECODER.decode(body)

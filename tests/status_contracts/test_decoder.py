"""Invariant *two paths, one result*: a body has a model, or findings, whoever asks first."""

import traceback
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
    "an item at fault": FULL_PLAIN | {"labels": [{"name": "", "weight": 1}]},
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
        assert DECODER.decode_with_findings(body) == (PARCEL, ())

    @pytest.mark.parametrize("value", FAULTY.values(), ids=FAULTY.keys())
    def test_a_invalid_body_has_findings(self, value: object) -> None:
        with pytest.raises(ValidationError) as caught:
            DECODER.decode(encode(value))
        findings = DECODER.validate(value)[1]
        assert findings != ()
        assert caught.value.read()[1] == caught.value.read()[1] == findings
        assert DECODER.decode_with_findings(encode(value))[1] == findings

    @pytest.mark.parametrize("name", ["no instant", "another type"])
    def test_where_one_place_is_enough_the_whole_is_not_read(
        self, name: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Nobody has asked for the findings yet."""
        monkeypatch.delattr(ModelDecoder, "validate")
        with pytest.raises(ValidationError):
            DECODER.decode(encode(FAULTY[name]))

    def test_the_error_holds_nothing_that_is_read_again(self) -> None:
        """The error keeps only the body."""
        value = "another type"
        with pytest.raises(ValidationError) as caught:
            DECODER.decode(encode(FAULTY[value]))
        _, *frames = (frame for frame, _ in traceback.walk_tb(caught.value.__traceback__))
        assert frames
        assert FAULTY[value] not in [held for frame in frames for held in frame.f_locals.values()]
        assert caught.value.args == ()

    def test_the_most_findings_are_named(self) -> None:
        make: Any = ModelDecoder
        with pytest.raises(TypeError):
            make(Parcel, 100)

    def test_what_is_no_json_is_neither(self) -> None:
        for body, error in (
            (b"{", JsonTextError),
            (b"[" * 200_000 + b"]" * 200_000, JsonDepthError),
        ):
            with pytest.raises(error):
                DECODER.decode(body)
            with pytest.raises(error):
                DECODER.decode_with_findings(body)

"""Invariant *two paths, one result*: a body has a model, or findings, whoever asks first."""

import pytest

from status_contracts.json_text import encode
from status_contracts.structuring.decoder import ModelDecoder, ValidationError
from support.status_contracts.parcel_model import FULL, FULL_PLAIN, PARCEL, PLAIN, Parcel

DECODER = ModelDecoder(Parcel)
FAULTY = {
    "a member at fault": FULL_PLAIN | {"count": 0},
    "another type": FULL_PLAIN | {"count": "1"},
    "no instant": FULL_PLAIN | {"sent_at": "1970-02-30T00:00:00Z"},
    "an unknown member": FULL_PLAIN | {"more": 1},
    "a member that is not there": {name: FULL_PLAIN[name] for name in FULL_PLAIN if name != "size"},
    "an item at fault": FULL_PLAIN | {"labels": [PLAIN["label"], {"name": "", "weight": 1}]},
    "a control character": FULL_PLAIN | {"note": "\n"},
    "a number at fault": FULL_PLAIN | {"label": {"name": "a", "weight": 11}},
    "another type of an item": FULL_PLAIN | {"labels": [PLAIN["label"], 1]},
    "too many items": FULL_PLAIN | {"labels": [PLAIN["label"]] * 3},
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

    @pytest.mark.parametrize(
        "first", [b'"labels":[{"name":1}]', b'"labels":[[]]', b'"label":[]', b'"label":{"name":{}}']
    )
    def test_of_a_repeated_member_the_last_one_counts(self, first: bytes) -> None:
        """The fast decoder stops at the first one."""
        body = encode(FULL_PLAIN | {"labels": [], "kind": "parcel"})
        assert DECODER.decode(b"{%b,%b" % (first, body[1:])).labels == ()

    @pytest.mark.parametrize("place", [".count.a", f"[{'1' * 5000}]"], ids=["a member", "an index"])
    def test_a_name_that_reads_as_the_place_of_a_fault_is_none(self, place: str) -> None:
        """The message of the fast decoder ends with the name of an unknown member."""
        value = {f"x - at `${place}": 1, **FULL_PLAIN, "count": {"a": 1}}
        with pytest.raises(ValidationError) as caught:
            DECODER.decode(encode(value))
        assert caught.value.find() == DECODER.validate(value)[1]

"""Strategies and cases that are derived from constraints, on models with every constraint."""

import json
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from status_contracts import json_text
from status_contracts.findings import pointer
from status_contracts.strategies import Values, instants, json_texts, json_values
from status_contracts.structuring.cases import DROPPED, Cases
from status_contracts.structuring.converter import unstructure
from status_contracts.structuring.decoder import ModelDecoder
from status_contracts.structuring.fast_decoder import FastDecoder, Undecided
from support.status_contracts.open_model import PLAIN as SHELF
from support.status_contracts.open_model import Shelf
from support.status_contracts.parcel_model import FULL_PLAIN, LABEL, PLAIN, Parcel

CASES = Cases({"word": ("Word", "two words", ""), "two capital letters": ("AB", "A", "ABC", "ab")})
VALUES = Values(predicates={"word": st.sampled_from(("Word", "W"))})
MODELS = pytest.mark.parametrize(
    ("model", "valid"),
    [(Parcel, PLAIN), (Parcel, FULL_PLAIN), (Shelf, SHELF)],
    ids=["required members", "all members", "open objects"],
)


class TestCases:
    @MODELS
    def test_a_value_with_one_case_has_its_verdict(self, model: type, valid: Any) -> None:
        """Invariant *one fault, one rule*."""
        validator: ModelDecoder[Any] = ModelDecoder(model)
        for case in CASES.of(model):
            _, findings = validator.validate(CASES.place(model, valid, case))
            expected = [(pointer(case.path), case.rule)] if case.rule else []
            assert [(finding.path, finding.rule) for finding in findings] == expected, case

    @MODELS
    def test_the_fast_decoder_accepts_what_the_validator_accepts_with_an_equal_model(
        self, model: type, valid: Any
    ) -> None:
        """Invariant *accept or leave*."""
        decoder: FastDecoder[Any] = FastDecoder(model)
        validator: ModelDecoder[Any] = ModelDecoder(model)
        accepted = 0
        for case in filter(lambda case: case.has_text, CASES.of(model)):
            value = CASES.place(model, valid, case)
            reads = [partial(decoder.decode, json.dumps(value).encode())]
            if case.rule != "text.control":  # which only the bytes are checked for
                reads.append(partial(decoder.convert, json.loads(json.dumps(value))))
            for read in reads:
                try:
                    decoded = read()
                except Undecided:
                    continue
                accepted += 1
                assert validator.validate(value) == (decoded, ()), case
        assert accepted > len([case for case in CASES.of(model) if not case.rule])

    def test_every_rule_of_constraints_is_broken(self) -> None:
        found = {case.rule for model in (Parcel, Shelf) for case in CASES.of(model)}
        assert found == {
            *("", "type", "required", "unknown", "constant", "word", "json.depth"),
            *("text.length", "text.control", "text.surrogate", "text.pattern"),
            *("number.finite", "number.integral", "number.range", "time.format"),
            *("items.count", "items.unique"),
        }

    @pytest.mark.parametrize(
        ("at", "values"),
        [
            (("count",), [0, 1, 9, 10]),
            (("label", "weight"), [-1, 0, 10, 11]),
            (("label", "name"), ["", "x", "\U0001f3b5" * 3, "x" * 4]),
            (("tags",), [[], ["x0", "x1", "x2"], ["x"] * 4]),
            (("note",), [None, DROPPED]),
        ],
    )
    def test_both_sides_of_each_limit_are_cases(self, at: Any, values: list[Any]) -> None:
        found = [case.value for case in CASES.of(Parcel) if case.at == at]
        assert [value for value in values if value not in found] == []

    def test_a_value_without_json_text_says_so(self) -> None:
        without = {case.rule for case in CASES.of(Shelf) if not case.has_text}
        assert without == {"number.finite", "text.surrogate"}

    @MODELS
    def test_the_simplest_value_is_valid(self, model: type, valid: Any) -> None:
        simplest = CASES.simplest(model)
        assert simplest.keys() <= valid.keys()
        assert ModelDecoder(model).validate(simplest)[1] == ()


class TestValues:
    @pytest.mark.parametrize("model", [Parcel, Shelf])
    def test_drawn_models_are_valid(self, model: Any) -> None:
        validator = ModelDecoder(model)

        @settings(max_examples=20)
        @given(VALUES.of(model))
        def check(value: Any) -> None:
            assert validator.validate(unstructure(value)) == (value, ())

        check()

    @settings(max_examples=10)
    @given(Values({"Label": st.just(LABEL), "Parcel.count": st.just(7)}).of(Parcel))
    def test_strategies_can_be_given(self, parcel: Parcel) -> None:
        assert (parcel.label, parcel.count) == (LABEL, 7)

    @settings(max_examples=10)
    @given(st.data())
    def test_instants_are_between_their_ends(self, data: st.DataObject) -> None:
        assert 5 <= data.draw(instants(5, 7)) <= 7


class TestJsonTexts:
    @given(st.data())
    def test_every_form_is_the_same_value(self, data: Any) -> None:
        value = data.draw(json_values())
        assert json_text.decode(data.draw(json_texts(value))) == value
        assert repr(json_text.decode(json_text.encode(value))) == repr(value)

    @given(st.integers(), st.data())
    def test_numbers_stay_exact(self, number: int, data: Any) -> None:
        assert json_text.decode(data.draw(json_texts([number, -number]))) == [number, -number]

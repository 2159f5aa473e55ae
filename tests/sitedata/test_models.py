"""Invariants *nothing is lost* and *no invalid date* of the models."""

import copy
import pickle
from typing import Any

import attrs
import pytest

from sitedata import Problem, Repository
from support.checks.html_tables import texts
from support.sitedata.site_examples import PROBLEM, SNAPSHOT, snapshot


class TestProblem:
    def test_a_time_has_its_instant(self) -> None:
        assert PROBLEM.instant == 1_769_857_200_000

    def test_an_unknown_time_has_none(self) -> None:
        assert attrs.evolve(PROBLEM, submitted_at=None).instant is None

    @pytest.mark.parametrize("time", ["", "2026-02-29T12:00:00Z", "2026-01-31T12:00:00"])
    def test_an_invalid_time_raises(self, time: str) -> None:
        with pytest.raises(ValueError, match=r"."):
            attrs.evolve(PROBLEM, submitted_at=time)

    def test_equality_compares_the_text_of_a_time(self) -> None:
        """The offset is kept, so two texts of one instant are two problems."""
        other = attrs.evolve(PROBLEM, submitted_at="2026-01-31T11:00:00Z")
        assert other.instant == PROBLEM.instant
        assert other != PROBLEM

    def test_only_the_instant_is_derived(self) -> None:
        with pytest.raises(TypeError):
            Problem("", "", "", "", "", "", "", None, instant=1)  # type: ignore[call-arg]

    def test_undocumented_members_are_compared(self) -> None:
        other = attrs.evolve(PROBLEM, extra={"more": []})
        assert other != PROBLEM
        assert hash(other) == hash(PROBLEM)

    def test_models_are_frozen(self) -> None:
        for model, name in (
            (PROBLEM, "path"),
            (SNAPSHOT, "ratings"),
            (SNAPSHOT.repository, "name"),
        ):
            with pytest.raises(attrs.exceptions.FrozenInstanceError):
                setattr(model, name, None)

    @pytest.mark.parametrize("model", [PROBLEM, SNAPSHOT, SNAPSHOT.repository], ids=type)
    def test_models_are_copied_and_pickled(self, model: Any) -> None:
        assert pickle.loads(pickle.dumps(model)) == model  # noqa: S301 - what was just made
        assert copy.deepcopy(model) == model

    def test_extra_members_are_not_shared(self) -> None:
        assert Repository("a", "b", "c").extra is not Repository("a", "b", "c").extra


class TestReprs:
    def test_the_repr_of_a_snapshot_names_it(self) -> None:
        assert repr(SNAPSHOT) == "<Snapshot of someone/practice at main: 1 problem>"

    def test_notebooks_show_a_table(self) -> None:
        caption, *fields = texts(SNAPSHOT._repr_html_())
        assert caption == "Snapshot"
        assert dict(zip(fields[::2], fields[1::2], strict=True)) == {
            "repository": "someone/practice",
            "branch": "main",
            "reference": "main",
            "generated at": "2026-01-31T11:00:00.000Z",
            "problems": "1",
            "commits": "3",
            "days with commits": "2",
        }

    @pytest.mark.parametrize(
        ("at", "text"),
        [(10**30, "9999-12-31T23:59:59.999Z"), (-(10**30), "0001-01-01T00:00:00.000Z")],
    )
    def test_a_time_without_text_is_shown_as_the_nearest_one(self, at: int, text: str) -> None:
        assert text in snapshot(generated_at=at)._repr_html_()

    def test_all_text_is_escaped(self) -> None:
        html = snapshot(
            repository=Repository("<b>", "&amp;", "'\""), source_ref="</td><script>"
        )._repr_html_()
        assert "&lt;b&gt;/&amp;amp;" in html
        assert "&#x27;&quot;" in html
        assert "<script>" not in html

"""What may leave the computer: hidden names, switches, the dry run, the fingerprint."""

import sys
from itertools import permutations
from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from costs import assert_linear
from devicestatus.privacy import PrivacyRules, Review, Switches
from devicestatus.snapshot import Battery, Music, Snapshot, System
from devicestatus.testing.strategies import snapshots
from examples import BATTERY, SONG, SYSTEM, snapshot
from purewire.absent import ABSENT

NAMES = (
    "Signal",
    "Ｓｉｇｎａｌ",
    "  sig\u00adnal ",
    "SIGNAL",
    "Straße",
    "a*b",
    "",
    " ",
    "System",
    "é",
)
names = st.sampled_from(NAMES) | st.text(max_size=6)
patterns = st.sampled_from(("*", "s*", "*al", "**", "*i*n*", "")) | st.text("*ab ", max_size=6)
switches = st.builds(Switches, **dict.fromkeys(attrs.fields_dict(Switches), st.booleans()))
rules = st.builds(
    PrivacyRules,
    names=st.frozensets(names, max_size=3),
    patterns=st.frozensets(patterns, max_size=3),
    switches=switches,
)


def matches(name: str, pattern: str) -> bool:
    """Match by the letter: a star is any run of characters."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(matches(name[n:], pattern[1:]) for n in range(len(name) + 1))
    return name[:1] == pattern[0] and matches(name[1:], pattern[1:])


class TestNames:
    """Invariant *names compare in one form*."""

    @pytest.mark.parametrize(
        "name",
        [
            "Secret App",
            "secret app",
            "SECRET APP",
            "Ｓｅｃｒｅｔ　Ａｐｐ",
            "  Secret \t\n App\ufeff ",
            "Secret\u00a0App",
            "Secret\x00 App\x7f",
        ],
    )
    def test_a_name_is_hidden_however_it_is_spelt(self, name: str) -> None:
        assert PrivacyRules(names=frozenset({"Secret App"})).hides(name)
        assert PrivacyRules(names=frozenset({name})).hides("Secret App")

    @pytest.mark.parametrize("name", ["Secret", "Secret Apps", "SecretApp", "", "Sècret App"])
    def test_another_name_is_not_hidden(self, name: str) -> None:
        assert not PrivacyRules(names=frozenset({"Secret App"})).hides(name)

    def test_case_is_folded_and_not_only_lowered(self) -> None:
        assert PrivacyRules(names=frozenset({"STRASSE"})).hides("Straße")

    def test_composed_and_decomposed_letters_are_the_same(self) -> None:
        assert PrivacyRules(names=frozenset({"Cafe\u0301"})).hides("CAFÉ")

    def test_a_surrogate_is_what_cleaning_makes_of_it(self) -> None:
        assert PrivacyRules(names=frozenset({"a\udc80"})).hides("a\ufffd")

    def test_a_star_in_a_name_is_a_star(self) -> None:
        rules = PrivacyRules(names=frozenset({"a*b"}))
        assert rules.hides("A*B")
        assert not rules.hides("axb")

    def test_a_blank_name_says_nothing(self) -> None:
        assert PrivacyRules(names=frozenset({"", " \n"})) == PrivacyRules()

    def test_without_rules_nothing_is_hidden(self) -> None:
        assert not PrivacyRules().hides("x" * 5000)

    def test_the_form_of_a_form_is_itself(self) -> None:
        for first in range(0, sys.maxunicode, 256):
            text = "".join(f"a{chr(code)}\u0345" for code in range(first, first + 256))
            once = PrivacyRules(names=frozenset({text}))
            assert PrivacyRules(names=once.names) == once

    def test_one_text_is_no_collection_of_names_and_is_not_quoted(self) -> None:
        with pytest.raises(TypeError) as caught:
            PrivacyRules(names="Secret")
        assert "Secret" not in str(caught.value)
        with pytest.raises(TypeError):
            PrivacyRules(patterns="Secret*")


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "name"),
        [
            ("secret*", "Secret"),
            ("secret*", "SECRET stuff"),
            ("*secret", "My Secret"),
            ("*secret*", "a secret b"),
            ("a*b*c", "AxxByyC"),
            ("a*b*c", "abc"),
            ("a*b*b", "abb"),
            ("*", "anything"),
            ("**", "anything"),
            ("se.ret[x]*", "Se.ret[x]y"),
            ("secret", "Secret"),
            ("my  *", "My App"),
            ("*ab*ab*", "xxababxx"),
        ],
    )
    def test_a_star_stands_for_any_run_of_characters(self, pattern: str, name: str) -> None:
        assert PrivacyRules(patterns=frozenset({pattern})).hides(name)

    @pytest.mark.parametrize(
        ("pattern", "name"),
        [
            ("secret*", "my secret"),
            ("*secret", "secret stuff"),
            ("a*b*b", "ab"),
            ("ab*ba", "aba"),
            ("se.ret", "secret"),
            ("s?cret", "secret"),
            ("[s]ecret", "secret"),
            ("*ab*ab*", "xabax"),
            ("a*", "ba"),
        ],
    )
    def test_nothing_else_is_special(self, pattern: str, name: str) -> None:
        assert not PrivacyRules(patterns=frozenset({pattern})).hides(name)

    @given(st.text("ab*", max_size=6), st.text("ab*", min_size=1, max_size=8))
    def test_patterns_match_by_the_letter(self, pattern: str, name: str) -> None:
        hides = PrivacyRules(patterns=frozenset({pattern})).hides(name)
        assert hides == (bool(pattern) and matches(name, pattern))

    def test_matching_is_linear(self) -> None:
        rules = PrivacyRules(patterns=frozenset({"*" + "a*" * 20 + "b", "*" + "a" * 40 + "b*"}))

        def ask(count: int) -> None:
            for _ in range(count):
                assert not rules.hides("a" * 1000)

        assert_linear(ask, lambda size: size, 50)

    def test_a_text_far_too_long_is_hidden_at_once(self) -> None:
        rules = PrivacyRules(names=frozenset({"Secret"}))
        assert rules.hides("\u0301\u0323" * 1_000_000)
        assert not rules.hides("x" * 1000)


class TestPublic:
    """Invariants *only the public part*, *order tells nothing*, *settled*."""

    RULES = PrivacyRules(names=frozenset({"Secret"}), patterns=frozenset({"bank*"}))

    def test_what_is_public_already_is_the_same_object(self) -> None:
        shown = snapshot(running_apps=("Editor", "System"))
        assert self.RULES.public(shown) is shown
        assert PrivacyRules().public(shown) is shown

    def test_a_hidden_foreground_app_is_system(self) -> None:
        assert self.RULES.public(snapshot(active_app="SECRET")).active_app == "System"
        assert self.RULES.public(snapshot(active_app="Banking")) == snapshot(active_app="System")

    def test_no_foreground_app_stays_none(self) -> None:
        shown = snapshot(active_app=None)
        assert PrivacyRules(patterns=frozenset({"*"})).public(shown) is shown

    def test_hidden_running_apps_are_system_once(self) -> None:
        running = ("Secret", "Editor", "Bank", "secret")
        assert self.RULES.public(snapshot(running_apps=running)).running_apps == (
            "Editor",
            "System",
        )

    def test_the_order_does_not_tell_which_app_was_hidden(self) -> None:
        orders = permutations(("zsh", "Secret", "Editor", "alpha"))
        shown = {self.RULES.public(snapshot(running_apps=each)).running_apps for each in orders}
        assert shown == {("alpha", "Editor", "System", "zsh")}

    def test_the_real_system_and_a_hidden_app_are_one(self) -> None:
        shown = self.RULES.public(snapshot(running_apps=("Secret", "System")))
        assert shown.running_apps == ("System",)

    def test_no_running_apps_and_untold_ones_stay_as_they_are(self) -> None:
        for running in ((), ABSENT):
            assert self.RULES.public(snapshot(running_apps=running)).running_apps == running

    @pytest.mark.parametrize(
        ("switch", "member", "null"),
        [
            ("apps", "active_app", None),
            ("running_apps", "running_apps", ABSENT),
            ("music", "music", Music("unavailable", None, None)),
            ("battery", "battery", Battery(None, None, "unknown")),
            ("system", "system", System(None, None, None)),
        ],
    )
    def test_a_metric_that_is_off_is_its_null_value_and_nothing_else_changes(
        self, switch: str, member: str, null: Any
    ) -> None:
        off = PrivacyRules(names=self.RULES.names, switches=Switches(**{switch: False}))
        full = snapshot(running_apps=("Editor", "Files"))
        assert off.public(full) == attrs.evolve(full, **{member: null})
        hiding = snapshot(active_app="Secret", running_apps=("Secret",))
        assert getattr(off.public(hiding), member) == null
        assert "Secret" not in repr(off.public(hiding))

    @given(rules, snapshots())
    def test_public_twice_is_public_once(self, rules: PrivacyRules, sample: Snapshot) -> None:
        shown = rules.public(sample)
        assert rules.public(shown) is shown

    @given(rules, st.lists(names.filter(bool), unique=True, max_size=6), names)
    def test_no_shown_app_is_one_that_the_rules_hide(
        self, rules: PrivacyRules, running: list[str], active: str
    ) -> None:
        shown = rules.public(snapshot(active_app=active, running_apps=tuple(running)))
        told = {shown.active_app, *(shown.running_apps or ())} - {None, "System"}
        assert not any(map(rules.hides, filter(None, told)))


class TestReview:
    RULES = PrivacyRules(
        names=frozenset({"Secret", "Private"}), switches=Switches(battery=False, music=False)
    )

    def test_it_gives_what_is_shown_and_how_much_is_not(self) -> None:
        sample = snapshot(active_app="Secret", running_apps=("Secret", "Editor", "PRIVATE"))
        assert self.RULES.review(sample) == Review(
            self.RULES.public(sample), 2, ("music", "battery")
        )

    def test_members_are_named_as_in_the_snapshot(self) -> None:
        none = Switches(apps=False, running_apps=False, music=False, battery=False, system=False)
        review = PrivacyRules(switches=none).review(snapshot())
        assert review.withheld == ("active_app", "running_apps", "music", "battery", "system")

    def test_apps_that_are_switched_off_are_withheld_and_not_hidden(self) -> None:
        off = Switches(apps=False, running_apps=False)
        rules = PrivacyRules(names=self.RULES.names, switches=off)
        sample = snapshot(active_app="Secret", running_apps=("Private",))
        assert rules.review(sample).hidden == 0

    def test_it_quotes_no_hidden_name(self) -> None:
        sample = snapshot(active_app="Secret", running_apps=("PRIVATE", "Editor"), battery=BATTERY)
        told = repr(self.RULES.review(sample)).casefold()
        assert "secret" not in told
        assert "private" not in told

    def test_of_a_public_snapshot_it_gives_the_same_object(self) -> None:
        sample = snapshot(system=SYSTEM, music=SONG)
        review = PrivacyRules().review(sample)
        assert review == Review(sample, 0, ())
        assert review.shown is sample


class TestFingerprint:
    def test_it_is_64_hex_digits(self) -> None:
        fingerprint = PrivacyRules(names=frozenset({"a\udc80", "名"})).fingerprint
        assert len(fingerprint) == 64
        assert set(fingerprint) <= set("0123456789abcdef")

    def test_equal_rules_have_equal_fingerprints_however_they_are_spelt(self) -> None:
        one = PrivacyRules(names=frozenset({"Secret  App", "b"}), patterns=frozenset({"X**y"}))
        other = PrivacyRules(names=frozenset({"B", "secret app"}), patterns=frozenset({"x*Y "}))
        assert one == other
        assert one.fingerprint == other.fingerprint

    def test_other_rules_have_other_fingerprints(self) -> None:
        different = [
            PrivacyRules(),
            PrivacyRules(names=frozenset({"a"})),
            PrivacyRules(names=frozenset({"a", "b"})),
            PrivacyRules(names=frozenset({"a b"})),
            PrivacyRules(patterns=frozenset({"a"})),
            PrivacyRules(patterns=frozenset({"a*"})),
            *(
                PrivacyRules(switches=Switches(**{name: False}))
                for name in attrs.fields_dict(Switches)
            ),
        ]
        assert len({each.fingerprint for each in different}) == len(different)

    def test_it_does_not_change_between_versions(self) -> None:
        rules = PrivacyRules(names=frozenset({"Signal"}), patterns=frozenset({"bank*"}))
        assert rules.fingerprint == (
            "b1f043e1a26af7bd6c2bb329084ef33aa07a49c3a86fc20b5db88ffc72aea31e"
        )

    @given(rules, rules)
    def test_rules_are_equal_exactly_when_their_fingerprints_are(
        self, one: PrivacyRules, other: PrivacyRules
    ) -> None:
        assert (one == other) == (one.fingerprint == other.fingerprint)


class TestRepr:
    """Invariant *rules stay here*."""

    def test_it_has_no_name_pattern_or_fingerprint(self) -> None:
        rules = PrivacyRules(names=frozenset({"Secret"}), patterns=frozenset({"bank*"}))
        assert repr(rules) == f"PrivacyRules(switches={Switches()!r})"
        assert rules.fingerprint not in repr(rules)

"""Privacy rules: hidden names, switches, the dry run, the fingerprint."""

from typing import Any

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from devicestatus.agent.privacy import AppName, PrivacyRules, Rule, Switches
from devicestatus.models import Battery, Music, Snapshot, System
from devicestatus.strategies import snapshots
from status_contracts.primitives import ABSENT, DEFAULT_IGNORABLE
from support.devicestatus.examples import SONG, snapshot

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
IGNORABLE = [chr(code) for codes in DEFAULT_IGNORABLE for code in codes]
ignorable = st.sampled_from(IGNORABLE[:78]) | st.sampled_from(IGNORABLE)


def rules_of(replace: dict[str, str], **members: Any) -> PrivacyRules:
    """Return rules, without replacements where they hide one."""
    without = PrivacyRules(**members)
    try:
        return PrivacyRules(replace=replace, **members)
    except ValueError:
        return without


rules = st.builds(
    rules_of,
    replace=st.dictionaries(names | patterns, st.sampled_from(("Shown", "Other", "é")), max_size=3),
    names=st.frozensets(names | patterns, max_size=5),
    only=st.frozensets(names | patterns, max_size=3),
    switches=switches,
)


@st.composite
def written_invisibly(draw: st.DrawFn, text: str) -> str:
    """Insert characters that show nothing anywhere into a text."""
    places = draw(st.lists(st.tuples(st.integers(0, len(text)), ignorable), max_size=5))
    for place, character in sorted(places, reverse=True):
        text = text[:place] + character + text[place:]
    return text


def matches(name: str, pattern: str) -> bool:
    """Only a star is special: it is any run of characters."""
    if not pattern:
        return not name
    if pattern[0] == "*":
        return any(matches(name[n:], pattern[1:]) for n in range(len(name) + 1))
    return name[:1] == pattern[0] and matches(name[1:], pattern[1:])


class TestNames:
    """Invariant *one form for comparison*."""

    @pytest.mark.parametrize(
        ("rule", "name"),
        [
            *(
                ("Secret App", name)
                for name in (
                    "SECRET APP",
                    "Ｓｅｃｒｅｔ　Ａｐｐ",
                    "  Secret \t\n App\ufeff ",
                    "Secret\u00a0App",
                    "Secret\x00 App\x7f",
                    "S\u034fecret App",
                    "Secret \U000e0041App",
                )
            ),
            ("STRASSE", "Straße"),
            ("Cafe\u0301", "CAFÉ"),
            ("a\udc80", "a\ufffd"),
        ],
    )
    def test_a_name_is_hidden_however_it_is_written(self, rule: str, name: str) -> None:
        assert PrivacyRules(names=[rule]).hides(name)
        assert PrivacyRules(names=[name]).hides(rule)
        for other in ("Secret", "Secret Apps", "SecretApp", "", "Sècret App"):
            assert not PrivacyRules(names=[rule]).hides(other)

    @given(st.data(), names, patterns, names)
    def test_what_shows_nothing_changes_no_verdict(
        self, data: st.DataObject, rule: str, pattern: str, name: str
    ) -> None:
        plain = PrivacyRules(names=[rule, pattern])
        other = PrivacyRules(names=[data.draw(written_invisibly(each)) for each in (rule, pattern)])
        written = data.draw(written_invisibly(name))
        assert other == plain
        assert other.hides(written) == plain.hides(written) == plain.hides(name)

    def test_a_blank_name_has_no_effect(self) -> None:
        assert PrivacyRules(names=frozenset({"", " \n"})) == PrivacyRules()

    @pytest.mark.parametrize(
        ("options", "message"),
        [
            ({"names": 7}, "names: must be a collection of str, not int: pass [value]"),
            ({"names": "Secret"}, "names: must be a collection of str, not str: pass [value]"),
            ({"only": [b"x"]}, "only: must be of type str, not bytes: it must contain text only"),
            (
                {"switches": {}},
                "switches: must be of type Switches, not dict: pass Switches(music=False)",
            ),
        ],
    )
    def test_a_value_of_another_type_says_what_must_be(
        self, options: dict[str, Any], message: str
    ) -> None:
        with pytest.raises(TypeError) as caught:
            PrivacyRules(**options)
        assert str(caught.value).startswith(message)
        assert "Secret" not in str(caught.value)


@pytest.mark.rule("DS-PRIVACY-07")
class TestNamesOfOneApp:
    """Invariant *all names of an app*."""

    @pytest.mark.parametrize(
        ("rule", "name", "is_one"),
        [
            ("KeePassXC", "org.keepassxc.KeePassXC", True),
            ("org.keepassxc.KeePassXC", "org.keepassxc.KeePassXC.desktop", True),
            ("org.keepassxc.KeePassXC.desktop", "keepassxc", True),
            ("com.spotify.Client", "spotify", True),
            ("org.videolan.VLC", "io.github.vlc", True),
            ("vlc", "vlc_vlc.desktop", True),
            ("telegram-desktop_telegram-desktop", "telegram-desktop", True),
            ("org.gnome.Music", "org.gnome.Calendar", False),
            ("Notes 2.0.1", "1", False),
            ("org.player", "player", False),
            (".desktop", "Editor", False),
            ("a_b", "a", False),
        ],
    )
    def test_an_id_is_also_its_parts_and_a_desktop_file_and_no_part_of_another_name(
        self, rule: str, name: str, is_one: bool
    ) -> None:
        assert PrivacyRules(names=[rule]).hides(name) == is_one
        assert PrivacyRules(names=[name]).hides(rule) == is_one

    def test_a_pattern_is_compared_with_whole_ids_and_their_parts(self) -> None:
        rules = PrivacyRules(names=["keepass*", "*.vault"])
        assert rules.hides("org.keepassxc.KeePassXC")
        assert rules.hides("org.example.Vault.desktop")

    @pytest.mark.parametrize("name", ["Window 1", "org.example.Secret", "secret-bin", "Tresor"])
    def test_each_of_its_names_hides_an_app_alone(self, name: str) -> None:
        app = AppName("Window 1", ["org.example.Secret", "secret-bin", "Tresor"])
        shown = snapshot(active_app=app, running_apps=(app, "Editor"), music=SONG)
        for rules in (PrivacyRules(names=[name]), PrivacyRules(names=[f"{name}*"])):
            assert rules.hides(app)
            public = rules.public(shown, [app])
            assert (public.active_app, public.running_apps) == ("System", ("Editor", "System"))
            assert public.music.state == "unavailable"
        assert PrivacyRules(only=[name]).shown(app) == "Window 1"
        assert PrivacyRules(replace={name: "Notes"}).shown(app) == "Notes"

    def test_no_other_name_is_in_what_is_public(self) -> None:
        secret, editor = AppName("Vault", ["Secret"]), AppName("Editor", ["ed"])
        sample = snapshot(active_app=editor, running_apps=(secret, editor))
        for rules in (PrivacyRules(), PrivacyRules(names=["secret"])):
            shown = rules.public(sample)
            assert {type(name) for name in (shown.active_app, *(shown.running_apps or ()))} == {str}
        assert shown == snapshot(active_app="Editor", running_apps=("Editor", "System"))
        assert PrivacyRules().public(snapshot(active_app=AppName("A"))) == snapshot(active_app="A")
        none = snapshot(active_app=None, running_apps=(editor,))
        assert PrivacyRules().public(none).active_app is None

    def test_rules_that_hide_none_of_the_apps_are_listed(self) -> None:
        rules = PrivacyRules(names=["Vault", "Diary", "*bank*", "secret*"])
        assert rules.unmatched([AppName("Vault", ["Secret 1"]), "Editor"]) == (
            Rule("name", "diary"),
            Rule("name", "*bank*"),
        )


class TestPatterns:
    @pytest.mark.parametrize(
        ("pattern", "name", "matches"),
        [
            ("secret*", "SECRET stuff", True),
            ("se.ret[x]*", "Se.ret[x]y", True),
            ("my  *", "My App", True),
            ("s?cret", "secret", False),
        ],
    )
    def test_a_star_stands_for_any_run_of_characters_and_nothing_else_is_special(
        self, pattern: str, name: str, matches: bool
    ) -> None:
        assert PrivacyRules(names=[pattern]).hides(name) == matches

    @pytest.mark.parametrize("name", ["e\u0301\u0323" * 5_000, "한" * 300_000])
    def test_a_name_is_compared_whole_however_long_it_is(self, name: str) -> None:
        assert not PrivacyRules(names=["Secret", "*secret"]).hides(name)
        assert PrivacyRules(names=["*secret"]).hides(f"{name} Secret")

    @pytest.mark.parametrize("marks", ["\u0301\u0323", "\u0344\u0323"])
    def test_more_marks_in_a_row_than_a_name_has_are_hidden_at_once(self, marks: str) -> None:
        rules = PrivacyRules(names=["Secret"])
        assert rules.rule_for("a" + marks * 300_000) == Rule("marks", "")
        assert rules.hides("a" + marks * 101)
        assert not rules.hides("a" + marks * 25)
        assert not PrivacyRules().hides("a" + marks * 101)
        assert rules.hides(AppName("Window 1", ["a" + marks * 101]))


class TestPublic:
    """Invariants *public part only*, *order reveals nothing*, *idempotent*."""

    RULES = PrivacyRules(names=["Secret", "bank*"])

    def test_hidden_running_apps_are_system_once(self) -> None:
        running = ("Secret", "Editor", "Bank", "secret")
        shown = self.RULES.public(snapshot(running_apps=running))
        assert shown.running_apps == ("Editor", "System")

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
        assert rules.public(shown) == shown

    @given(rules, st.lists(names.filter(bool), unique=True, max_size=6), names)
    def test_no_shown_app_is_one_that_the_rules_hide(
        self, rules: PrivacyRules, running: list[str], active: str
    ) -> None:
        shown = rules.public(snapshot(active_app=active, running_apps=tuple(running)))
        shown_names = {shown.active_app, *(shown.running_apps or ())} - {None, "System"}
        assert not any(map(rules.hides, filter(None, shown_names)))


@pytest.mark.rule("DS-PRIVACY-09")
class TestOnly:
    RULES = PrivacyRules(only=["Editor", "*mail*"], names=["Secret Mail"])

    @pytest.mark.parametrize(
        ("name", "kind"),
        [
            ("editor", None),
            ("E-Mail", None),
            ("secret mail", "name"),
            ("Browser", "unlisted"),
            ("x" + "\u0301" * 101, "marks"),
        ],
    )
    def test_an_app_that_is_not_listed_is_hidden(self, name: str, kind: str | None) -> None:
        rule = self.RULES.rule_for(name)
        assert (None if rule is None else rule.kind) == kind

    def test_music_is_sent_where_one_name_of_its_player_is_listed(self) -> None:
        rules = PrivacyRules(only=["Radio"])
        heard = snapshot(active_app=None, running_apps=ABSENT, music=SONG)
        assert rules.public(heard, ["org.example.x", "radio"]).music == SONG
        assert rules.public(heard, ["org.example.x", "vlc"]).music.state == "unavailable"


class TestReplace:
    RULES = PrivacyRules(
        replace={"Firefox": "Browser", "*fox*": "Fox", "*fox esr*": "Old", "Old Game": "Game"}
    )

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("firefox", "Browser"),
            ("Firefox ESR", "Old"),
            ("Foxit", "Fox"),
            ("Editor", "Editor"),
            ("Browser", "Browser"),
        ],
    )
    def test_a_name_comes_before_a_pattern_and_a_long_pattern_before_a_short_one(
        self, name: str, shown: str
    ) -> None:
        assert self.RULES.shown(name) == shown

    def test_an_app_that_is_hidden_is_not_replaced(self) -> None:
        assert PrivacyRules(names=["Bank"], replace={"*": "App"}).shown("bank") == "System"

    def test_a_replacement_is_listed_and_stays_as_it_is(self) -> None:
        rules = PrivacyRules(only=["Editor"], replace={"Firefox": "Browser", "Browser": "Net"})
        shown = [rules.shown(name) for name in ("Firefox", "Browser", "Mail")]
        assert shown == ["Browser", "Browser", "System"]

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            *((text, "must have 1 to 200 characters") for text in ("", "a\n", "x" * 201)),
            ("Bank", "the rules hide a replacement"),
        ],
    )
    def test_a_replacement_is_a_clean_name_that_is_not_hidden(
        self, text: str, message: str
    ) -> None:
        with pytest.raises(ValueError, match=message):
            PrivacyRules(names=["Bank"], replace={"a": text})


@pytest.mark.rule("DS-PRIVACY-03")
class TestMusicOfAHiddenApp:
    RULES = PrivacyRules(names=["Secret Player", "*hidden*"])
    SILENT = Music("unavailable", None, None)

    @pytest.mark.parametrize(
        "names", [("secret player",), ("vlc", "\u200bSecret Player"), ("HIDDEN",)]
    )
    def test_it_is_hidden_by_any_name_of_the_player(self, names: tuple[str, ...]) -> None:
        heard = snapshot(music=SONG)
        assert self.RULES.public(heard, names) == attrs.evolve(heard, music=self.SILENT)

    def test_music_that_is_not_reported_is_not_hidden(self) -> None:
        silent = snapshot(music=self.SILENT)
        assert self.RULES.public(silent, ["secret player"]) == silent
        assert not any(match.rule for match in self.RULES.matches(silent, ["secret player"]))


class TestFingerprint:
    def test_equal_rules_have_equal_fingerprints_however_they_are_written(self) -> None:
        one = PrivacyRules(names=["Secret  App", "b", "X**y"])
        other = PrivacyRules(names=["B", "secret app", "x*Y "])
        assert one == other
        assert one.fingerprint == other.fingerprint

    def test_other_rules_have_other_fingerprints(self) -> None:
        different = [
            PrivacyRules(),
            PrivacyRules(names=frozenset({"a"})),
            PrivacyRules(names=frozenset({"a", "b"})),
            PrivacyRules(names=frozenset({"a b"})),
            PrivacyRules(names=["a*"]),
            PrivacyRules(only=["a"]),
            PrivacyRules(replace={"a": "b"}),
            PrivacyRules(replace={"a": "c"}),
            *(
                PrivacyRules(switches=Switches(**{field.name: not field.default}))
                for field in attrs.fields(Switches)
            ),
        ]
        assert len({each.fingerprint for each in different}) == len(different)

    @given(rules, rules)
    def test_rules_are_equal_exactly_when_their_fingerprints_are(
        self, one: PrivacyRules, other: PrivacyRules
    ) -> None:
        assert (one == other) == (one.fingerprint == other.fingerprint)


class TestRepr:
    """Invariant *no hidden name leaks*."""

    def test_it_has_no_name_pattern_or_fingerprint(self) -> None:
        rules = PrivacyRules(names=["Secret", "bank*"])
        assert repr(rules) == f"PrivacyRules(switches={Switches()!r})"
        assert rules.fingerprint not in repr(rules)

"""The dry run: what the privacy rules hide, rule by rule."""

from devicestatus.agent.privacy import PrivacyRules, Rule, Switches
from status_agent.review import Hidden, Review, review
from support.devicestatus.examples import BATTERY, SONG, snapshot

RULES = PrivacyRules(names=["Secret", "Private", "*bank*"], switches=Switches(battery=False))


def test_it_states_what_is_hidden_by_which_rule() -> None:
    running = ("Secret", "SECRET", "Editor", "PRIVATE", "My Bank", "System")
    sample = snapshot(active_app="Bank", running_apps=running, music=SONG)
    players = ("org.bank", "Secret")
    assert review(RULES, sample, players) == Review(
        RULES.public(sample, players),
        (
            Hidden("active_app", Rule("name", "*bank*"), 1),
            Hidden("running_apps", Rule("name", "secret"), 2),
            Hidden("running_apps", Rule("name", "private"), 1),
            Hidden("running_apps", Rule("name", "*bank*"), 1),
            Hidden("music", Rule("name", "*bank*"), 1),
            Hidden("music", Rule("name", "secret"), 1),
        ),
    )


def test_apps_and_players_that_are_not_listed_are_counted() -> None:
    rules = PrivacyRules(only=["Editor"])
    sample = snapshot(active_app="Editor", running_apps=("Browser", "Editor", "Game"), music=SONG)
    assert review(rules, sample, ["org.example.x", "vlc"]).hidden == (
        Hidden("running_apps", Rule("unlisted", ""), 2),
        Hidden("music", Rule("unlisted", ""), 1),
    )


def test_it_quotes_no_hidden_name() -> None:
    sample = snapshot(active_app="Secret", running_apps=("PRIVATE", "Editor"), battery=BATTERY)
    shown_names = repr(review(RULES, sample, ["private"])).casefold()
    assert "secret" not in shown_names
    assert "private" not in shown_names

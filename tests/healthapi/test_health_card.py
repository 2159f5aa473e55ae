"""The card of a profile: three metrics as a picture of 480 x 160 px."""

import xml.etree.ElementTree as ET
from datetime import date, timedelta

import pytest

from healthapi.card import MAX_METRICS, draw_card
from healthapi.catalog_keys import CARD_METRICS
from healthapi.profile import Profile, load
from purewire.svg.palette import PAPERS, Theme
from support.checks.drawn_text import least_contrasts
from support.healthapi.health_client import anna, empty

AVATAR = "data:image/png;base64,iVBORw0KGgo="


def drawn(profile: Profile, *metrics: str, theme: Theme = "light") -> tuple[list[str], str]:
    """Return the texts of a card in their order, and its description."""
    root = ET.fromstring(draw_card(profile, metrics, theme=theme))  # noqa: S314 - own output
    texts = ["".join(each.itertext()) for each in root.iter("{http://www.w3.org/2000/svg}text")]
    description = root.find("{http://www.w3.org/2000/svg}desc")
    assert description is not None
    return texts, description.text or ""


def written(*last: str, written_at: str = "2026-03-01T08:00:00") -> Profile:
    """Return a profile of 40 days of steps, with other values on its last days."""
    first = date(2026, 1, 1)
    values = [*[str(8000 + n % 7 * 100) for n in range(40 - len(last))], *last]
    rows = (f"{first + timedelta(n)},{value}," for n, value in enumerate(values))
    table = "\n".join(("date,steps,sedentaryMinutes", *rows))
    return load("ada", {"csv/fitbit_activity.csv": table.encode()}, generated_at=written_at)


def test_it_has_the_day_the_sentence_and_the_chosen_metrics_in_their_order() -> None:
    texts, description = drawn(anna(), "rhr", "hrv", "steps")
    assert texts[:3] == ["A", "Anna N.", "28 Jan 2026"]
    assert texts[3:5] == [
        "Active minutes are above your usual range for five days,",
        "and calories burned are above it for five.",
    ]
    names = [text for text in texts if text in {"Resting heart rate", "HRV", "Steps"}]
    assert names == ["Resting heart rate", "HRV", "Steps"]
    assert "Resting heart rate 53 bpm, usual 52 to 57." in description
    assert description.startswith("As of 28 Jan 2026, ")


def test_without_a_choice_it_has_three_that_have_values() -> None:
    texts, _ = drawn(anna())
    assert {"Sleep", "Steps", "Resting heart rate"} <= set(texts)
    texts, _ = drawn(written())
    assert "Steps" in texts
    assert "Sleep" not in texts


def test_a_short_sentence_leaves_space_for_the_recovery() -> None:
    profile = load(
        "ada",
        {"csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-02,60\n"},
        generated_at="2026-03-01T08:00:00",
    )
    texts, description = drawn(profile)
    assert "Recovery 50, fair" in texts
    assert "Recovery 50, fair." in description


def test_a_metric_that_was_not_measured_lately_has_no_line() -> None:
    days = "".join(f"{date(2026, 1, 2) + timedelta(n)},60\n" for n in range(40))
    profile = load(
        "ada",
        {
            "csv/fitbit_hrv.csv": b"date,dailyRmssd,deepRmssd\n2026-01-01,40,\n",
            "csv/fitbit_rhr.csv": f"date,resting_heart_rate\n{days}".encode(),
        },
        generated_at="2026-03-01T08:00:00",
    )
    card = draw_card(profile, ("hrv", "rhr"))
    assert "HRV 40 ms, on 1 Jan 2026." in drawn(profile, "hrv", "rhr")[1]
    assert card.count(b"<circle") == 2  # the initial, and the last day of the heart rate


def test_a_number_is_written_with_group_separators() -> None:
    texts, description = drawn(written("31170"), "steps")
    assert "31,170" in texts
    assert "Steps 31,170, usual 8,000 to 8,600." in description


def test_a_metric_without_a_value_says_so() -> None:
    texts, description = drawn(written(), "hrv")
    assert "no data" in texts
    assert "HRV no data." in description


def test_a_value_of_an_earlier_day_has_its_day() -> None:
    profile = load(
        "ada",
        {
            "csv/fitbit_activity.csv": b"date,steps,sedentaryMinutes\n2026-01-01,1234,\n",
            "csv/fitbit_rhr.csv": b"date,resting_heart_rate\n2026-01-02,60\n",
        },
        generated_at="2026-03-01T08:00:00",
    )
    assert "Steps 1,234, on 1 Jan 2026." in drawn(profile, "steps")[1]


def test_an_unfinished_day_is_marked() -> None:
    profile = written(written_at="2026-02-09T12:00:00")
    assert ", so far." in drawn(profile, "steps")[1]
    assert ", so far." not in drawn(written(), "steps")[1]


def test_an_empty_profile_has_a_card() -> None:
    texts, description = drawn(empty())
    assert "No days with data yet" in texts
    assert description == "Health: No days with data yet."


def test_the_name_and_the_avatar_of_the_owner() -> None:
    card = draw_card(anna(), name="Ada <b>", avatar=AVATAR)
    assert b"Ada &lt;b&gt;" in card
    assert AVATAR.encode() in card


@pytest.mark.parametrize("metrics", [("pulse",), ("hrv", "hrv"), CARD_METRICS[: MAX_METRICS + 1]])
def test_other_metrics_are_refused(metrics: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected at most 3 of sleep_score, .* found"):
        draw_card(anna(), metrics)


@pytest.mark.parametrize(
    ("theme", "pages"),
    [
        ("light", ("#ffffff",)),
        ("dark", ("#0d1117",)),
        ("transparent", ("#ffffff", "#0d1117")),
    ],
)
def test_text_is_readable_in_each_theme(theme: Theme, pages: tuple[str, ...]) -> None:
    card = draw_card(anna(), theme=theme)
    assert theme in PAPERS
    for page in pages:
        assert least_contrasts(card, page)[0][0] >= 4.5

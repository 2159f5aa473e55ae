"""Build the pages of health data: the page of one profile, and the list of several.

The page of a profile shows two resources of the API: `dashboard` and `series/daily`.  The document
has their bodies, and what `views.usual_ranges` says about them.  Without JavaScript it shows the
latest values as a table.

Invariant *public data only*: the pages contain what responses of the API contain, and statistics
of these numbers; nothing else.
Invariant *no markup from data*: texts of a response are escaped; data in the document are JSON
without `<`, `>` and `&`.
"""

from collections.abc import Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any, Final

import attrs

from healthapi.chart_lines import LINE_COLORS, STAGE_COLORS, format_value, format_with_unit
from healthapi.derived.cards import Card
from healthapi.derived.statistics import Range
from healthapi.keys import CARD_METRICS, METRICS
from healthapi.manual import ICON
from healthapi.profile import Profile
from healthapi.views.usual_ranges import build_view
from status_contracts.adapters.page_files import read_parts
from status_contracts.days import parse_day
from status_contracts.json_text import encode
from status_contracts.pages.blocks import Notice, notice_html
from status_contracts.pages.page import DATA_COLORS, SIMPLE_CONTENT, Page, PageParts, build_page
from status_contracts.pages.settings import Link, PageSettings
from status_contracts.svg.labels import format_day

SERIES_DAYS: Final = 372
"""Points of the series: a year and the days before it that its first means need."""
SERIES: Final = (
    f"series/daily?metrics={','.join((*CARD_METRICS, 'minutes_asleep'))}&limit={SERIES_DAYS}"
)
"""The resource behind the trends, below a profile."""
_SCRIPTS: Final = (
    "days.js",
    "text.js",
    "charts.js",
    "table.js",
    "parts.js",
    "trends.js",
    "health.js",
)
TITLE: Final = "Health"
"""Title of the page of a profile."""
_TONE_RULES: Final = "".join(
    f".tone-{metric} {{ --tone: var(--data-{number}); }}\n"
    for number, metrics in enumerate((LINE_COLORS | STAGE_COLORS).values(), 1)
    for metric in metrics.split()
    if metric in {*CARD_METRICS, *STAGE_COLORS.values()}
)
"""The colours of metrics, which are those of charts."""
_HOURS: Final = METRICS["sleep_hours"].unit
_UNITS: Final = sorted({metric.unit for metric in METRICS.values() if not metric.decimals})
UNITS_SCRIPT: Final = f"const WHOLE_UNITS = new Set({encode(_UNITS).decode()});\n"
"""What the scripts know of `Metric.decimals`."""
_ESCAPES: Final = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}
DESCRIPTION: Final = "Sleep, activity and recovery of one person, as a wearable measured them."
"""What the page of a profile is, for search engines and shared links."""
_LIST: Final = '<h1 class="profile-name">People</h1><ul class="people">{}</ul>'
_DIAL: Final = (
    '<div class="dial is-{0}" aria-hidden="true"><svg viewBox="0 0 120 120">'
    '<circle class="all" cx="60" cy="60" r="54"/><circle class="part" cx="60" cy="60" r="54"'
    ' pathLength="100" stroke-dasharray="{1} 100" transform="rotate(-90 60 60)"/></svg>'
    '<p class="dial-text"><span class="value">{1}</span></p></div>'
)
"""A ring that a part of 100 fills."""
_NO_PROFILE: Final = Notice(
    "empty",
    "There are no profiles yet",
    "To add one, put its tables into <profile id>/csv/ of the folder that is served;"
    " healthapi import makes them from an export.",
)
_NO_DAYS: Final = Notice(
    "empty",
    "This profile has no days with data yet",
    "To add some, put tables into its folder csv/; healthapi import makes them from an export.",
)
_UNREADABLE: Final = Notice(
    "failed", "The data cannot be read at the moment", "Load the page again later."
)
_UNKNOWN: Final = Notice(
    "missing",
    "There is no public profile here",
    "Look for it in the list.",
    Link("All people", "../"),
)
_ERRORS: Final = {404: _UNKNOWN, 503: _UNREADABLE}
"""Status of a response to what the page says."""


@attrs.frozen
class Reading:
    """The data of a page, and what it leads to.

    Attributes:
        dashboard: body of the response.
        series: body of the response.
        chart: URL of the chart that is shown without JavaScript.
        dark_chart: URL of the same chart for dark pages; None if there is none.

    """

    dashboard: bytes = attrs.field(repr=False)
    series: bytes = attrs.field(repr=False)
    links: Mapping[str, str]
    chart: str
    dark_chart: str | None = None


class HealthPages:
    """The pages for the settings of an owner; their files are read once."""

    def __init__(self, settings: PageSettings) -> None:
        parts = read_parts(
            files("healthapi") / "page_files",
            "health",
            _SCRIPTS,
            title=TITLE,
            icon=ICON,
            skip_to="the data",
            description=DESCRIPTION,
            style=DATA_COLORS + _TONE_RULES,
            script=UNITS_SCRIPT,
        )
        listed = PageParts(
            SIMPLE_CONTENT,
            TITLE,
            ICON,
            skip_to="the list",
            description="Health data of several people, as wearables measured them.",
            style=parts.style,
        )
        self._profile = build_page(parts, settings)
        self._list = build_page(listed, settings)
        self._owner = settings.name

    def profile(self, profile: Profile, reading: Reading, *, people: str | None = None) -> Page:
        """Build the page of a profile; `people` is the URL of the list, None if it is the only."""
        person = profile.person
        view = build_view(
            profile.daily,
            profile.monthly,
            profile.goals,
            is_partial=bool(profile.partial_periods("daily")),
            partial_months=profile.partial_periods("monthly"),
        )
        is_obvious = people is None and (self._owner or person.display_name == profile.id)
        name = "" if is_obvious else person.display_name
        titled = self._profile.titled(name) if name else self._profile
        # A profile without days has its notice in place of a view.
        shown = encode(view or attrs.asdict(_NO_DAYS, filter=lambda _, value: value))
        data = {"view": shown, "dashboard": reading.dashboard, "series": reading.series}
        return titled.filled(
            {
                "heading": _heading(name, people),
                "notice": notice_html(None),
                "plain": _plain(profile, view, reading),
                "links": _links(reading.links),
                "data": _data(data),
            },
        )

    def error(self, status: int) -> Page:
        """Build the page of a profile that does not exist (404) or cannot be read (503)."""
        marks = dict.fromkeys(("plain", "links", "data"), "")
        notice = notice_html(_ERRORS[status])
        return self._profile.filled({**marks, "heading": _heading("", None), "notice": notice})

    def people(
        self, profiles: Sequence[Mapping[str, Any]], links: Mapping[str, str], document: str = ""
    ) -> Page:
        """Build the list from the entries of the resource `profiles`.

        `document` is the name of the document of a profile in its folder.
        """
        items = "".join(_person(entry, document) for entry in profiles)
        content = _LIST.format(items) if items else notice_html(_NO_PROFILE)
        return self._list.filled({"main": content, "footer": _links(links)})


def _heading(name: str, people: str | None) -> str:
    """Return the heading: the person, unless the header of the page already says whose it is."""
    if not name:
        return f'<h1 class="visually-hidden">{TITLE}</h1>'
    link = "" if people is None else f'<a class="on-screen" href="{escape(people)}">All people</a>'
    return f'<div class="profile-head"><h1 class="profile-name">{escape(name)}</h1>{link}</div>'


def _links(links: Mapping[str, str]) -> str:
    return " · ".join(
        f'<a href="{escape(url)}">{escape(label)}</a>' for label, url in links.items()
    )


def _data(bodies: Mapping[str, bytes]) -> str:
    """Return the elements with JSON by their ids; `<` in a text cannot end them."""
    return "".join(
        f'<script type="application/json" id="{name}">{body.decode().translate(_ESCAPES)}</script>'
        for name, body in bodies.items()
    )


def _plain(profile: Profile, view: Mapping[str, Any], reading: Reading) -> str:
    """Return what the page shows without JavaScript."""
    overview = profile.overview
    if overview.latest_date is None:
        return f"<noscript>{notice_html(_NO_DAYS, 'no-days')}</noscript>"
    score = overview.recovery_score
    recovery = "" if score is None else f" Recovery: {score}, {overview.recovery_label}."
    rows = "".join(
        f'<tr><th scope="row">{escape(card.label)}</th>'
        f'<td class="number">{value_text(card, card.latest)}</td>'
        f"<td>{format_day(parse_day(card.latest_date))}</td>"
        f'<td class="number">{_usual(card, view)}</td></tr>'
        for card in profile.cards
        if card.latest is not None and card.latest_date is not None
    )
    table = (
        "<table><caption>Latest values</caption>"
        '<thead><tr><th scope="col">Metric</th><th scope="col" class="number">Value</th>'
        '<th scope="col">Day</th><th scope="col" class="number">Usual range</th></tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )
    dark = (
        ""
        if reading.dark_chart is None
        else (
            f'<source srcset="{escape(reading.dark_chart)}"'
            ' media="screen and (prefers-color-scheme: dark)">'
        )
    )
    return (
        f'<noscript><section class="card"><p class="sentence">{view["sentence"]["then"]}</p>'
        f"<p>Data to {format_day(parse_day(overview.latest_date))}.{recovery}</p>"
        f'{table if rows else ""}<p><picture>{dark}<img src="{escape(reading.chart)}" width="960"'
        ' height="320" alt="Trend of sleep score, steps and heart; the table has the latest'
        ' values."></picture></p></section></noscript>'
    )


def _person(entry: Mapping[str, Any], document: str) -> str:
    """Return the list item of a profile."""
    url, name = f"{entry['id']}/{document}", escape(entry["display_name"] or entry["id"])
    score = entry["recovery_score"]
    if not entry["available"]:
        detail = f"{_UNREADABLE.title}."
    elif entry["latest_date"] is None:
        detail = "No days with data yet."
    else:
        recovery = "" if score is None else f"Recovery {score}, {entry['recovery_label']}. "
        detail = f"{recovery}Data to {format_day(parse_day(entry['latest_date']))}."
    dial = "" if score is None else _DIAL.format(entry["recovery_status"], score)
    return (
        f'<li class="card">{dial}<div><a class="person" href="{escape(url)}">{name}</a>'
        f'<p class="detail">{escape(detail)}</p></div></li>'
    )


def _usual(card: Card, view: Mapping[str, Any]) -> str:
    """Return the usual range, with the side of it on which the value is."""
    usual, side = view["usual"].get(card.key), view["outside"].get(card.key)
    if usual is None:
        return ""
    mark = {None: "", "above": "▲ above ", "below": "▼ below "}[side]
    if card.unit == _HOURS:
        return mark + " to ".join(value_text(card, end) for end in usual)
    return f"{mark}{Range(*usual).text}"


def value_text(card: Card, value: float) -> str:
    """Return a value of a metric with its unit, which is left out where the label has it."""
    metric = METRICS[card.key]
    is_counted = card.unit == card.label.lower()
    return format_value(metric, value) if is_counted else format_with_unit(metric, value)

"""How notebooks show snapshots, views and explanations."""

import json

import attrs
import pytest

from devicestatus.deadlines import Deadline, window_deadline
from devicestatus.errors import ContractError
from devicestatus.explanation import Explanation
from devicestatus.models import Battery, Music, Snapshot, System, Window
from devicestatus.parsing import parse_snapshot
from devicestatus.player import Player, View
from devicestatus.responses import WindowStatus
from status_contracts.html_table import MAX_ROWS
from status_contracts.structuring.converter import unstructure
from support.checks.html_tables import texts
from support.devicestatus.examples import DELAY, NOON, gap, snapshot, window


def window_text(data: Window, *, now: int, updated_at: int | None = None) -> str:
    """Return the text of a response with a window, received where it was made by default."""
    received_at = data.generated_at if updated_at is None else updated_at
    expires_at = window_deadline(data.window_end)
    response = WindowStatus(
        server_time=now, updated_at=received_at, expires_at=expires_at, window=data
    )
    return json.dumps(unstructure(response))


HOSTILE = "<script>alert(1)</script>\x00&\"'"


def fields(value: Snapshot | View | Explanation) -> dict[str, str]:
    """Return what the notebook shows, without the caption."""
    _, *rest = texts(value._repr_html_())
    return dict(zip(rest[::2], rest[1::2], strict=True))


class TestSnapshots:
    def test_each_member_has_a_row(self) -> None:
        assert texts(snapshot()._repr_html_())[0] == "Snapshot"
        assert fields(snapshot(running_apps=("Editor", "Mail"))) == {
            "collected": "2026-01-01T12:00:00.000Z",
            "foreground app": "Editor",
            "running": "Editor, Mail",
            "battery": "82 %, not charging, on battery",
            "load": "1.5 1.25 1",
            "music": "playing: Song — Band",
        }

    def test_what_is_missing_is_named_and_no_number(self) -> None:
        shown = fields(
            snapshot(
                active_app=None,
                battery=Battery(None, None, "unknown"),
                system=System(None, None, 0),
                music=Music("stopped", None, None),
            )
        )
        assert shown["foreground app"] == "unknown"
        assert shown["running"] == "not reported"
        assert shown["battery"] == "charge unknown, charging unknown, power unknown"
        assert shown["load"] == "unknown unknown 0"
        assert shown["music"] == "stopped"

    def test_any_text_is_text(self) -> None:
        html = snapshot(active_app=HOSTILE, running_apps=(HOSTILE * 99,))._repr_html_()
        assert "<script>" not in html
        assert fields(snapshot(active_app=HOSTILE))["foreground app"] == HOSTILE.replace(
            "\x00", "\ufffd"
        )
        assert len(html) < 3000


class TestExplanations:
    def test_online(self) -> None:
        shown = fields(Explanation(True, deadline=Deadline(NOON, "projection"), next_change_at=7))
        assert shown == {
            "status": "online",
            "deadline": "2026-01-01T12:00:00.000Z (420 s after the end of the window)",
            "next change": "1970-01-01T00:00:00.007Z",
        }

    def test_offline(self) -> None:
        shown = fields(Explanation(False, "gap", gap(NOON, NOON + 1000, "clock")))
        assert shown == {
            "status": "offline",
            "reason": "playback is in a gap (clock changed, 2026-01-01T12:00:00.000Z to"
            " 2026-01-01T12:00:01.000Z)",
            "next change": "none, until something is written",
        }


class TestViews:
    def test_playing(self) -> None:
        player = Player()
        data = window(window_end=NOON + DELAY)
        player.accept(window_text(data, now=NOON + DELAY).encode(), 5)
        assert fields(player.view(1005)) == {
            "state": "playing",
            "server time": "2026-01-01T12:07:01.000Z",
            "moment shown": "2026-01-01T12:00:01.000Z",
            "last data": "2026-01-01T12:07:00.000Z",
            "delay": "420 s",
            "still to play": "419 s",
            **fields(snapshot()),
        }

    def test_a_gap_warm_up_and_the_end(self) -> None:
        player = Player()
        data = window(window_end=NOON + DELAY, gaps=(gap(NOON, NOON + 2000, "sleep"),))
        player.accept(window_text(data, now=NOON + DELAY).encode(), 0)
        shown = fields(player.view(0))
        assert shown["state"] == "gap"
        assert shown["reason"] == (
            "playback is in a gap (asleep, 2026-01-01T12:00:00.000Z to 2026-01-01T12:00:02.000Z)"
        )
        assert fields(player.view(2 * DELAY))["reason"] == (
            "playback has passed the end of the window"
        )
        early = Player()
        early.accept(window_text(window(window_end=NOON), now=NOON).encode(), 0)
        assert fields(early.view(0))["playback starts in"] == "420 s"

    def test_a_loss(self) -> None:
        player = Player()
        first = window(window_end=NOON + 60_000)
        player.accept(window_text(first, now=NOON + 60_000).encode(), 0)
        late = window(batch_seq=2, window_start=NOON + 120_000, window_end=NOON + 200_000)
        player.accept(window_text(late, now=NOON + 200_000).encode(), 140_000)
        assert fields(player.view(140_000))["lost"] == "2 min, from 2026-01-01T12:00:00.000Z"


class TestErrors:
    def test_findings_are_a_table(self) -> None:
        with pytest.raises(ContractError) as caught:
            parse_snapshot(b'{"active_app": 1}', received_at=NOON)
        caption, *cells = texts(caught.value._repr_html_())
        assert caption == "ContractError: invalid_payload"
        assert cells[:3] == ["path", "rule", "message"]
        found = caught.value.findings
        assert cells[3:] == [text for each in found for text in attrs.astuple(each)]

    def test_many_findings_are_cut(self) -> None:
        with pytest.raises(ContractError) as caught:
            parse_snapshot(b'{"running_apps": [%s]}' % b",".join([b"1"] * 64), received_at=NOON)
        html = caught.value._repr_html_()
        assert html.count("<tr>") == MAX_ROWS + 2
        assert texts(html)[-1] == f"and {len(caught.value.findings) - MAX_ROWS} more"

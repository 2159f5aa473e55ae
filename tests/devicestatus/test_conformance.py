"""The conformance suite on the reference service, in this process with a virtual clock."""

from collections.abc import Callable
from pathlib import Path

import pytest

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.conformance.checks import SUITE
from purewire.adapters.conformance.in_process import InAsgi, InWsgi, VirtualClock
from purewire.adapters.contract import read_contract
from purewire.conformance.checks import Arguments, NotJudged
from purewire.conformance.results import ExitCode, Outcome, Report
from purewire.conformance.run import Perform, run_suite

TOKEN = "0123456789abcdef0123456789abcdef"
START = 1_790_000_000_000
ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
CONTRACT = read_contract("devicestatus")
RULES = {rule.id: (rule.level, rule.text) for rule in CONTRACT.rules.values()}
EVERYTHING = Arguments(has_token=True, write=True, slow=True)


def asgi_transport() -> Perform:
    clock = VirtualClock(START)
    app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
    return InAsgi(clock, token=TOKEN, application=app)


def wsgi_transport() -> Perform:
    clock = VirtualClock(START)
    app = wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
    return InWsgi(clock, token=TOKEN, application=app)


def judge(perform: Perform, arguments: Arguments = EVERYTHING) -> Report:
    return run_suite(SUITE, SUITE.checks, perform, arguments, url="http://testserver", rules=RULES)


class TestHealthyService:
    @pytest.mark.parametrize("transport", [asgi_transport, wsgi_transport])
    def test_every_check_passes_and_none_is_skipped(self, transport: Callable[[], Perform]) -> None:
        report = judge(transport())
        others = [
            (result.check.id, result.reason, result.expected, result.actual)
            for result in report.results
            if result.outcome is not Outcome.PASSED
        ]
        assert not others
        assert report.exit_code(strict=True) == ExitCode.CONFORMS

    def test_without_write_nothing_is_written(self) -> None:
        clock = VirtualClock(START)
        store = MemoryStore()
        app = asgi.create_app(Settings(TOKEN), store=store, assets=ICONS, clock=clock)
        report = judge(InAsgi(clock, token=TOKEN, application=app), Arguments(has_token=True))
        assert report.count(Outcome.SKIPPED) > 100
        assert report.count(Outcome.FAILED) == 0
        assert report.exit_code() == ExitCode.CONFORMS
        assert report.exit_code(strict=True) == ExitCode.UNVERIFIED
        assert store.get("now") is None

    def test_the_last_record_reports_nothing(self) -> None:
        report = judge(asgi_transport())
        assert "snapshot that reports nothing" in report.notes[0]


class TestSuite:
    def test_every_cited_rule_exists(self) -> None:
        cited = {rule for check in SUITE.checks for rule in check.rules}
        assert not cited - CONTRACT.rules.keys()

    def test_every_check_cites_a_rule(self) -> None:
        assert not [check.id for check in SUITE.checks if not check.rules]


class TestLearn:
    def test_a_wrong_token_is_not_judged(self) -> None:
        clock = VirtualClock(START)
        app = asgi.create_app(Settings("x" * 40), store=MemoryStore(), clock=clock)
        with pytest.raises(NotJudged, match="the token is wrong"):
            judge(InAsgi(clock, token=TOKEN, application=app))

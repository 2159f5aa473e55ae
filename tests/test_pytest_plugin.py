"""The entry points of pytest and Hypothesis, in runs of pytest of their own."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.conformance.checks import SUITE
from support.servers.servers import serve_asgi

pytest_plugins = ["pytester"]

TOKEN = "0123456789abcdef0123456789abcdef"
ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
FAST = sum(not check.slow for check in SUITE.checks)
READING = sum(not check.slow and not check.writes for check in SUITE.checks)
APPLICATION = """
from pathlib import Path
import devicestatus.adapters
from devicestatus import Settings
from devicestatus.adapters import asgi, wsgi
from devicestatus.adapters.memory import MemoryStore
from devicestatus.testing.conformance import ServiceConformance

ICONS = Path(devicestatus.adapters.__file__).parent / "app_icons"
TOKEN = "0123456789abcdef0123456789abcdef"

def without_nosniff(app):
    async def wrapped(scope, receive, send):
        async def changed(message):
            if "headers" in message:
                lines = message["headers"]
                message["headers"] = [line for line in lines if b"nosniff" not in line]
            await send(message)
        await app(scope, receive, changed)
    return wrapped
"""


def healthy() -> Any:
    return asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS)


def with_wrong_type(app: Any) -> Any:
    """Return an application that gives `/api/device` the media type of text."""

    async def wrapped(scope: Any, receive: Any, send: Any) -> None:
        async def changed(message: Any) -> None:
            if scope.get("path") == "/api/device" and "headers" in message:
                lines = [line for line in message["headers"] if line[0] != b"content-type"]
                message["headers"] = [*lines, (b"content-type", b"text/plain")]
            await send(message)

        await app(scope, receive, changed)

    return wrapped


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("INGEST_TOKEN", raising=False)
    monkeypatch.setenv("MY_TOKEN", TOKEN)
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p no:cacheprovider")


@pytest.fixture
def url() -> Iterator[str]:
    with serve_asgi(healthy()) as base_url:
        yield base_url


def test_each_check_of_a_deployment_is_a_test(pytester: pytest.Pytester, url: str) -> None:
    options = (f"--devicestatus-url={url}", "--devicestatus-token-env=MY_TOKEN")
    ended = pytester.runpytest_subprocess(*options, "--devicestatus-write", "--junitxml=out.xml")
    ended.assert_outcomes(passed=FAST, skipped=len(SUITE.checks) - FAST)
    ended.stdout.fnmatch_lines(["*devicestatus conformance*", "* rules of level must verified"])
    ended.stdout.fnmatch_lines(["*snapshot that reports nothing*"])
    assert TOKEN not in ended.stdout.str()
    cases = ET.parse(pytester.path / "out.xml").iter("testcase")  # noqa: S314 - just written
    assert [case.get("name") for case in cases] == [check.id for check in SUITE.checks]


def test_without_write_nothing_is_written(pytester: pytest.Pytester, url: str) -> None:
    ended = pytester.runpytest_subprocess(f"--devicestatus-url={url}", "-rs")
    ended.assert_outcomes(passed=READING, skipped=len(SUITE.checks) - READING)
    ended.stdout.fnmatch_lines(["SKIPPED*it replaces the present record: give --write"])


def test_a_failure_has_rule_expectation_response_and_command(pytester: pytest.Pytester) -> None:
    with serve_asgi(with_wrong_type(healthy())) as base_url:
        ended = pytester.runpytest_subprocess(f"--devicestatus-url={base_url}", "-k", "shape")
    assert ended.parseoutcomes()["failed"] >= 1
    ended.stdout.fnmatch_lines(
        [
            "*DS-HTTP-08 (must): *",
            "*expected: *application/json; charset=utf-8*",
            "*got: *text/plain*",
            f"*curl *{base_url}/api/device*",
        ]
    )
    assert "Traceback" not in ended.stdout.str()


def test_a_deployment_that_does_not_respond_fails_once(pytester: pytest.Pytester) -> None:
    ended = pytester.runpytest_subprocess("--devicestatus-url=http://127.0.0.1:9")
    ended.assert_outcomes(failed=1, skipped=len(SUITE.checks) - 1)
    ended.stdout.fnmatch_lines(["the deployment cannot be judged: *refused*"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--devicestatus-write"], "*--devicestatus-write needs the ingest token*INGEST_TOKEN*"),
        (["-n2"], "*--devicestatus-url: run the checks without -n*"),
        (["--devicestatus-url=ftp://example"], "*'ftp://example' is not a URL*"),
    ],
)
def test_wrong_options_are_usage_errors(
    pytester: pytest.Pytester, options: list[str], message: str
) -> None:
    ended = pytester.runpytest_subprocess("--devicestatus-url=http://127.0.0.1:9", *options)
    assert ended.ret == pytest.ExitCode.USAGE_ERROR
    ended.stderr.fnmatch_lines([message])


def test_an_application_object_passes_every_check(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        APPLICATION
        + """
class TestAsgi(ServiceConformance):
    token = TOKEN

    def make_app(self, clock):
        return asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)


class TestWsgi(ServiceConformance):
    token = TOKEN

    def make_app(self, clock):
        return wsgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
"""
    )
    ended = pytester.runpytest_subprocess("-W", "error")
    ended.assert_outcomes(passed=2 * len(SUITE.checks))


def test_a_broken_application_object_fails_the_checks_of_its_rule(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(
        APPLICATION
        + """
class TestBroken(ServiceConformance):
    token = TOKEN

    def make_app(self, clock):
        app = asgi.create_app(Settings(TOKEN), store=MemoryStore(), assets=ICONS, clock=clock)
        return without_nosniff(app)


class TestUnfinished(ServiceConformance):
    pass
"""
    )
    ended = pytester.runpytest_subprocess("-k", "headers")
    outcomes = ended.parseoutcomes()
    assert outcomes["failed"] >= 1
    assert outcomes["passed"] >= 1
    ended.stdout.fnmatch_lines(["*X-Content-Type-Options*nosniff*"])
    ended.stdout.fnmatch_lines(["*TestUnfinished must define make_app(clock)*"])


def test_from_type_draws_models(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import devicestatus, healthapi, sitedata
        import pytest
        from hypothesis import given, settings, strategies as st
        from devicestatus import check_snapshot, encode

        MODELS = [
            devicestatus.Battery, devicestatus.Music, devicestatus.Snapshot, devicestatus.System,
            devicestatus.Window, devicestatus.WindowChanges,
            healthapi.Profile, sitedata.Problem, sitedata.Snapshot,
        ]

        @pytest.mark.parametrize("model", MODELS)
        @settings(max_examples=3)
        @given(data=st.data())
        def test_model(model, data):
            assert isinstance(data.draw(st.from_type(model)), model)

        @given(st.from_type(devicestatus.Snapshot))
        def test_drawn_snapshots_are_valid(snapshot):
            assert not check_snapshot(encode(snapshot))

        def test_other_types_are_left_alone():
            assert st.from_type(int).validate() is None
        """
    )
    ended = pytester.runpytest_subprocess("-W", "error")
    ended.assert_outcomes(passed=11)


def test_the_entry_points_import_no_product_until_they_are_used(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(
        "import json, sys\n"
        "def pytest_sessionfinish(session):\n"
        "    import hypothesis\n"
        "    print('MODULES', json.dumps(sorted(sys.modules)))\n"
    )
    command = [sys.executable, "-m", "pytest", "--collect-only", "-p", "no:cacheprovider", "-s"]
    ended = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    line = next(line for line in ended.stdout.splitlines() if "MODULES" in line)
    loaded = set(json.loads(line.partition("MODULES")[2]))
    assert {"status_contracts.pytest_plugin", "status_contracts.hypothesis_types"} <= loaded
    slow = {"purewire", "devicestatus", "healthapi", "sitedata", "msgspec", "cattrs"}
    assert not {name.partition(".")[0] for name in loaded} & slow

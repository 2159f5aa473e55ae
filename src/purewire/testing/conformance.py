"""The checks of a conformance suite as pytest tests: of a URL, or of an application object."""

from collections.abc import Sequence
from inspect import iscoroutinefunction
from typing import Any, ClassVar, Final, Literal

import attrs
import pytest

from purewire.adapters.conformance import InAsgi, InWsgi, OverHttp, VirtualClock, load_suite
from purewire.conformance.checks import Arguments, Check, NotTestable
from purewire.conformance.run import Outcome, Perform, Run
from purewire.conformance.text_report import lines_of, summary

__all__ = ["CheckRunner", "ConformanceTests", "UrlPlugin"]

_START: Final = 1_790_000_000_000
"""When the virtual clock starts, ms since the epoch: in 2026."""


@attrs.define
class CheckRunner:
    """Runs checks and turns their results into those of pytest.

    `not_testable` says why the deployment cannot be tested at all; empty if it can.
    """

    run: Run[Any]
    not_testable: str = ""

    def perform(self, check: Check[Any]) -> None:
        """Run a check; return if it passed.

        Raises:
            pytest.fail.Exception: a rule is broken, no response came, or the deployment cannot be
                tested; the message has the rules, what was expected, what came, and a curl line.
            pytest.skip.Exception: the check could not be made or decides nothing.

        """
        if self.not_testable:
            pytest.skip(f"not tested: {self.not_testable}")
        try:
            result = self.run.run(check)
        except NotTestable as error:
            self.not_testable = str(error)
        if self.not_testable:
            pytest.fail(f"the deployment cannot be tested: {self.not_testable}", pytrace=False)
        if result.outcome in {Outcome.FAILED, Outcome.ERROR}:
            pytest.fail("\n".join(lines_of(self.run.report(), result)), pytrace=False)
        if result.outcome is not Outcome.PASSED:
            pytest.skip(result.reason)


def make_runner(product: str, perform: Perform, arguments: Arguments, url: str) -> CheckRunner:
    """Return what runs the checks of a product at a deployment."""
    return CheckRunner(Run(load_suite(product), perform, arguments, url))


class UrlPlugin:
    """A pytest plug-in that adds the checks of a deployment at a URL to the collected tests.

    Raises ValueError if the URL is not one of HTTP.
    """

    def __init__(self, product: str, url: str, token: str | None, arguments: Arguments) -> None:
        self._product = product
        self._runner = make_runner(product, OverHttp(url, token=token), arguments, url)

    @pytest.hookimpl(tryfirst=True)  # -k and -m select among these items too
    def pytest_collection_modifyitems(
        self, session: pytest.Session, items: list[pytest.Item]
    ) -> None:
        """Add an item for each check."""
        parent = _Checks.from_parent(session, name=self._product, nodeid=self._product)
        parent.runner = self._runner
        items.extend(parent.collect())

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Replace what was written, and print how many rules were verified."""
        if not self._runner.run.has_results:
            return
        terminalreporter.section(f"{self._product} conformance")
        for line in summary(self._runner.run.finish()):
            terminalreporter.write_line(line)


class _Checks(pytest.Collector):
    """The checks of one suite."""

    runner: CheckRunner

    def collect(self) -> Sequence["_CheckItem"]:
        suite = self.runner.run.suite
        return [
            _CheckItem.from_parent(self, name=check.id, runner=self.runner, check=check)
            for check in suite.checks
        ]


class _CheckItem(pytest.Item):
    """One check as a test."""

    def __init__(self, *, runner: CheckRunner, check: Check[Any], **arguments: Any) -> None:  # noqa: ANN401
        super().__init__(**arguments)
        self._runner, self._check = runner, check
        self.add_marker("conformance")

    def runtest(self) -> None:
        self._runner.perform(self._check)

    def reportinfo(self) -> tuple[Any, int | None, str]:
        return self.path, None, f"{self._check.id}: {self._check.title}"


class ConformanceTests:
    """The checks of a suite on an application object, to inherit; each check is a test.

        class TestMyService(ServiceConformance):
            token = "0123456789abcdef0123456789abcdef"

            def make_app(self, clock):
                return create_my_app(token=self.token, now_ms=clock)

    The application gets a virtual clock, and must have no other one, so checks that wait for
    deadlines take no time.

    Attributes:
        token: the ingest token that the application was created with; None without writes.
        interface: `asgi` or `wsgi`; None finds it out.

    """

    product: ClassVar[str]
    token: ClassVar[str | None] = None
    interface: ClassVar[Literal["asgi", "wsgi"] | None] = None

    def make_app(self, clock: VirtualClock) -> Any:  # noqa: ANN401 - ASGI or WSGI
        """Return the application to test; it must read the time, in ms, by calling the clock."""
        raise NotImplementedError(f"{type(self).__name__} must define make_app(clock)")

    @pytest.fixture(scope="class")
    @classmethod
    def runner(cls) -> CheckRunner:
        """Return what runs all checks at one application."""
        clock = VirtualClock(_START)
        app = cls().make_app(clock)
        is_asgi = cls.interface == "asgi" if cls.interface else _is_asgi(app)
        perform: Perform = (
            InAsgi(clock, token=cls.token, application=app)
            if is_asgi
            else InWsgi(clock, token=cls.token, application=app)
        )
        has_token = cls.token is not None
        arguments = Arguments(has_token=has_token, write=has_token, slow=True)
        return make_runner(cls.product, perform, arguments, "http://testserver")

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each check."""
        if "conformance_check" in metafunc.fixturenames:
            checks = load_suite(self.product).checks
            metafunc.parametrize("conformance_check", checks, ids=[check.id for check in checks])

    def test_check(self, conformance_check: Check[Any], runner: CheckRunner) -> None:
        """Run one check."""
        runner.perform(conformance_check)


def _is_asgi(app: object) -> bool:
    """Check whether an application is called as ASGI prescribes; servers decide the same way."""
    return iscoroutinefunction(app) or iscoroutinefunction(getattr(app, "__call__", None))  # noqa: B004

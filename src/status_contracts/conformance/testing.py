"""A conformance kit as tests of an application object; needs the `testing` extra."""

from typing import Any, ClassVar

import pytest

from status_contracts.conformance.http import InProcess, VirtualClock
from status_contracts.conformance.report import find_causes
from status_contracts.conformance.runner import Kit, NotTestable, Run, Section

__all__ = ["ServiceConformance"]


class ServiceConformance:
    """The sections of a kit as tests of an ASGI application, to inherit.

        from devicestatus.conformance import KIT

        class TestMyService(ServiceConformance):
            kit = KIT
            token = "0123456789abcdef0123456789abcdef"

            def make_app(self, clock):
                return create_my_app(token=self.token, now_ms=clock)

    The application gets a virtual clock, and must have no other one, so that deadlines take no
    time.  Without the ingest token `token` nothing is written.  `profile` is the part of the
    contract that is tested.
    """

    kit: ClassVar[Kit]
    token: ClassVar[str | None] = None
    profile: ClassVar[str] = "full"

    def make_app(self, clock: VirtualClock) -> Any:  # noqa: ANN401 - of any ASGI framework
        """Return the application to test; it must read the time, in ms, by calling the clock."""
        raise NotImplementedError(f"{type(self).__name__} must define make_app(clock)")

    @pytest.fixture(scope="class")
    @classmethod
    def run(cls) -> Run:
        """Return the run that all sections share."""
        clock = VirtualClock()
        client = InProcess(clock, cls().make_app(clock), cls.token)
        run = Run(cls.kit, client, cls.token is not None, profile=cls.profile)
        try:
            run.start()
        except NotTestable as error:
            pytest.fail(f"the application cannot be tested: {error}", pytrace=False)
        return run

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Make a test of each section."""
        if "section" in metafunc.fixturenames:
            sections = self.kit.sections
            metafunc.parametrize("section", sections, ids=[section.name for section in sections])

    def test_section(self, section: Section, run: Run) -> None:
        """Compare the answers of one section."""
        run.failures.clear()
        run.run(section)
        if section.name in run.left_out:
            pytest.skip(run.left_out[section.name])
        if run.failures:
            lines = [line for cause in find_causes(run) for line in cause.lines(run.client.url)]
            pytest.fail("\n".join(lines), pytrace=False)

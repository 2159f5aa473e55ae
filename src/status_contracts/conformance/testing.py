"""A conformance kit as tests of an application object; needs the `testing` extra."""

from typing import Any, ClassVar

import pytest

from status_contracts.conformance.http import InProcess, VirtualClock
from status_contracts.conformance.report import causes_of, lines_of
from status_contracts.conformance.runner import Kit, NotTestable, Run

__all__ = ["ServiceConformance"]


class ServiceConformance:
    """A kit as a test of an ASGI application, to inherit.

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

    def test_every_answer_is_right(self) -> None:
        """Compare the answers of all sections."""
        clock = VirtualClock()
        client = InProcess(clock, self.make_app(clock), self.token)
        run = Run(self.kit, client, self.token is not None, profile=self.profile)
        try:
            run.start()
        except NotTestable as error:
            pytest.fail(f"the application cannot be tested: {error}", pytrace=False)
        for section in self.kit.sections:
            run.run(section)
        lines = [line for cause in causes_of(run) for line in lines_of(cause, client.url)]
        if lines:
            pytest.fail("\n".join(lines), pytrace=False)

"""A conformance kit as tests of an application object; needs the `testing` extra."""

from typing import Any, ClassVar

import pytest

from status_contracts.conformance.http import InProcess
from status_contracts.conformance.report import summary
from status_contracts.conformance.runner import Kit, NotTestable, Run
from status_contracts.exchange import Clock

__all__ = ["ServiceConformance"]


class ServiceConformance:
    """A kit as a test of an ASGI application, to inherit.

    Attributes:
        kit: `KIT` of `devicestatus.conformance`, `healthapi.conformance` or `sitedata.conformance`.
        token: the ingest token; without it nothing is written.
        profile: the part of the contract that is tested.

    """

    kit: ClassVar[Kit]
    token: ClassVar[str | None] = None
    profile: ClassVar[str] = "full"

    def make_app(self, clock: Clock) -> Any:  # noqa: ANN401 - of any ASGI framework
        """Return the application to test; it must have no other clock, whose time is in ms."""
        raise NotImplementedError(f"{type(self).__name__} must define make_app(clock)")

    def test_every_answer_is_right(self) -> None:
        """Fail if an answer differs; else skip if a section of the profile was left out."""
        client = InProcess(self.make_app, self.token)
        run = Run(self.kit, client, self.token is not None, profile=self.profile)
        try:
            list(run.perform())
        except NotTestable as error:
            pytest.fail(f"the application cannot be tested: {error}", pytrace=False)
        report = "\n".join(summary(run))
        if run.causes:
            pytest.fail(report, pytrace=False)
        if not all(map(run.is_outside, run.left_out)):
            pytest.skip(report)

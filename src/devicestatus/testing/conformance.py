"""The conformance suite of device status as a pytest class; needs the `testing` extra."""

from typing import ClassVar

from purewire.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """All checks of the suite, on an application object: define `token` and `make_app(clock)`."""

    product: ClassVar[str] = "devicestatus"

"""The conformance suite of health data as a pytest class; needs the `testing` extra."""

from typing import ClassVar

from purewire.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """All checks of the suite, on an application object: define `make_app(clock)`."""

    product: ClassVar[str] = "healthapi"

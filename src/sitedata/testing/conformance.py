"""The conformance kit of site data as a test class; needs the `testing` extra."""

from status_contracts.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """The sections of the kit, on an application: define `make_app(clock)`."""

    product = "sitedata"

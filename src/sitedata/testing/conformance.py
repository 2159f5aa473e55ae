"""The conformance suite of site-data as a pytest class; needs the `testing` extra.

To test an application object in the test's process, inherit `ServiceConformance`:

    class TestMySite(ServiceConformance):
        def make_app(self, clock):
            return create_app("site-data.json", clock=clock)

Each check is a test.  A deployment at a URL is tested by `pytest --sitedata-url URL`.
"""

from typing import ClassVar

from purewire.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """All checks of the suite, on an ASGI or WSGI application object.

    Define `make_app(clock)`, which returns the application; `clock()` returns ms since the epoch.
    """

    product: ClassVar[str] = "sitedata"

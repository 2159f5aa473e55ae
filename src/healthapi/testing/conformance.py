"""The conformance suite of health-data as a pytest class; needs the `testing` extra.

To test an application object in the test's process, inherit `ServiceConformance`:

    class TestMyApi(ServiceConformance):
        def make_app(self, clock):
            return create_app("profiles", clock=clock)

Each check is a test.  A deployment at a URL is tested by `pytest --healthapi-url URL`.
"""

from typing import ClassVar

from purewire.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """All checks of the suite, on an ASGI or WSGI application object.

    Define `make_app(clock)`, which returns the application; `clock()` returns ms since the epoch.
    """

    product: ClassVar[str] = "healthapi"

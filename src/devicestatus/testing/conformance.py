"""The conformance suite of device status as a pytest class; needs the `testing` extra.

To test an application object in the test's process, inherit `ServiceConformance`:

    class TestMyService(ServiceConformance):
        token = "0123456789abcdef0123456789abcdef"

        def make_app(self, clock):
            return create_my_app(token=self.token, now_ms=clock)

The application gets a virtual clock, so checks that wait for deadlines take no time.  Each check is
a test.  A deployment at a URL is tested by `pytest --devicestatus-url URL`.
"""

from typing import ClassVar

from purewire.testing.conformance import ConformanceTests

__all__ = ["ServiceConformance"]


class ServiceConformance(ConformanceTests):
    """All checks of the suite, on an ASGI or WSGI application object.

    Define `token`, and `make_app(clock)`, which returns the application.  `clock()` returns ms
    since the epoch; the application must have no other clock.
    """

    product: ClassVar[str] = "devicestatus"

"""The browser of the tests of pages."""

from collections.abc import Iterator

import pytest

from support.servers.webdriver import Session


@pytest.fixture
def session(browser: Session) -> Iterator[Session]:
    """Return the browser with a tab of its own."""
    with browser.tab():
        yield browser

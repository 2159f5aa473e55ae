"""The browser of the tests of pages."""

from collections.abc import Iterator

import pytest

from support.servers.webdriver import Session, open_session

NO_NETWORK = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"


@pytest.fixture(scope="module")
def browser() -> Iterator[Session]:
    """Return a browser for the whole module; each test opens tabs of its own."""
    with open_session("--lang=en-US", NO_NETWORK) as session:
        yield session


@pytest.fixture
def session(browser: Session) -> Iterator[Session]:
    """Return the browser with a tab of its own."""
    with browser.tab():
        yield browser

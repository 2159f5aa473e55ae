"""The one token of all tests, and the search for it in whatever is shown.

`watching` searches everything that a run of the tests shows, logs and serves; `servers` and
`commands` search what their processes print.
"""

import base64
from collections.abc import Iterator
from typing import Final

TOKEN: Final = "canary-token-" + "5ec2e7" * 8
"""Let in by every service of the tests that lets anybody in."""
_PART: Final = "5ec2e7" * 4
"""The part that any half of the token contains."""


def shows(*texts: str) -> bool:
    """Check whether any of the texts has the token, or half of it, in a form that can be undone."""
    whole = "\n".join(texts).lower()
    return any(form in whole for form in _FORMS)


def _forms() -> Iterator[str]:
    yield _PART
    yield _PART[::-1]
    yield _PART.encode().hex()
    yield _PART.encode().hex("%")
    yield ", ".join(str(byte) for byte in _PART.encode())
    for front in range(3):  # base64 of it, whatever stands before
        code = base64.b64encode(b"-" * front + TOKEN.encode()).decode()
        yield code[4:-4].lower()


_FORMS: Final = tuple(_forms())

"""The URL under which the client sees the mount point, from what the gateway tells of the request.

Links in answers begin with it.  Host and mount point may come from the client, or from a proxy that
passes on what it was sent, so neither is believed to be more than it says.

Invariant *plain or nothing*: the authority of a base is one host name or address with at most a
port; a Host header that is missing, repeated or anything else gives no base at all.
Invariant *only URL characters*: a base holds no white space, control, quote, angle bracket,
backslash, `?` or `#`, so that whatever is appended stays a path of that host.
"""

import re
from ipaddress import IPv6Address
from typing import Final
from urllib.parse import quote

__all__ = ["base_url"]

_SCHEMES: Final = ("http", "https")
_LABEL: Final = r"[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_NAME: Final = rf"(?P<name>{_LABEL}(?:\.{_LABEL})*\.?)"
_ADDRESS: Final = r"\[(?P<address>[0-9A-Fa-f:.]{2,45})\]"
_AUTHORITY: Final = re.compile(rf"(?:{_NAME}|{_ADDRESS})(?::(?P<port>0|[1-9][0-9]{{0,4}}))?")

_LONGEST_NAME: Final = 254  # RFC 1035 section 2.3.4, as text with the dot of the root
_LAST_PORT: Final = 65_535
_MOUNT_CHARACTERS: Final = "/:@!$*+,;=~"  # of those of a path none that HTML or CSS reads


def base_url(scheme: str, hosts: tuple[bytes, ...], mount: bytes = b"") -> str:
    """Give the URL of the mount point, without a slash at the end; empty where it is not known.

    Args:
        scheme: `http` or `https`; any other has no base.
        hosts: the values of all Host lines.
        mount: the decoded path of the mount point.

    """
    authority = _authority(hosts[0]) if len(hosts) == 1 else None
    if authority is None or scheme not in _SCHEMES:
        return ""
    path = quote(mount.strip(b"/"), safe=_MOUNT_CHARACTERS)
    return f"{scheme}://{authority}/{path}" if path else f"{scheme}://{authority}"


def _authority(host: bytes) -> str | None:
    """Read a Host value (RFC 9110 section 7.2); None where it is not a plain one."""
    found = _AUTHORITY.fullmatch(host.decode("latin-1"))
    if found is None or int(found["port"] or 0) > _LAST_PORT:
        return None
    if found["address"] is None:
        return found[0].lower() if len(found["name"]) <= _LONGEST_NAME else None
    return found[0].lower() if _is_address(found["address"]) else None


def _is_address(text: str) -> bool:
    try:
        IPv6Address(text)
    except ValueError:
        return False
    return True

"""Why a TLS connection failed, as a message with a remedy.

Invariant *nothing of the other side is quoted*: a text is of this module, but for the name that
OpenSSL has for the error.
"""

import ssl
from typing import Final

_TRUST: Final = "use a certificate of a known authority, or name a file to trust in SSL_CERT_FILE"
_OTHER_HOST: Final = (
    "the certificate is for another host: give a host name that it has in the URL, or renew it for"
    " this one"
)
_REASONS: Final = {
    9: "the certificate is not valid yet: check this machine's clock",
    10: "the certificate has expired: renew it on the server, or check this machine's clock",
    18: f"the certificate is self-signed: {_TRUST}",
    19: f"the certificate's authority is self-signed and not known: {_TRUST}",
    20: f"the certificate's issuer is not known: let the server send the whole chain, or {_TRUST}",
    62: _OTHER_HOST,
    64: _OTHER_HOST,
}
"""OpenSSL's code of a failed verification to the reason."""
_NO_FAILURES: Final = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


def tls_failure(error: BaseException) -> str | None:
    """Return why TLS failed, and the remedy; None if it is not the cause of an error."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLError) and not isinstance(cause, _NO_FAILURES):
            return f"TLS failed: {_reason(cause)}"
        cause = cause.__cause__ or cause.__context__
    return None


def _reason(error: ssl.SSLError) -> str:
    if not isinstance(error, ssl.SSLCertVerificationError):
        return (
            f"protocol error {error.reason or type(error).__name__}: check that the port is one for"
            " https, and that the server offers TLS 1.2 or later"
        )
    return _REASONS.get(
        error.verify_code,
        f"the certificate is not accepted, OpenSSL's code is {error.verify_code}: renew it on the"
        " server",
    )

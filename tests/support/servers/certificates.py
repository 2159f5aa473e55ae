"""Certificates of a test's own, made by openssl."""

import ssl
import subprocess
from pathlib import Path

from support.servers.services import need


def self_signed(
    folder: Path, *, address: str = "127.0.0.1", days: int = 1
) -> tuple[ssl.SSLContext, Path]:
    """Return the context of a server with its own certificate, and the file of the certificate.

    Args:
        folder: where the files are written.
        address: the IP address that the certificate is for.
        days: until the certificate expires; negative where it has expired.

    """
    request, key, certificate, names = (
        str(folder / name) for name in ("request.pem", "key.pem", "certificate.pem", "names")
    )
    Path(names).write_text(f"subjectAltName=IP:{address}\n", "utf-8")
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    made = ["-subj", f"/CN={address}", "-out", request, "-keyout", key]
    signed = ["-in", request, "-signkey", key, "-days", str(days), "-extfile", names]
    for command in (["req", "-new", *curve, *made], ["x509", "-req", *signed, "-out", certificate]):
        subprocess.run([need("openssl"), *command], capture_output=True, check=True)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    return server, Path(certificate)

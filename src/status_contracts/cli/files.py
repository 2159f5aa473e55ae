"""Read the input, settings and token files of a command, and write its output files.

Invariant *bounded input*: at most a given number of bytes is read.
Invariant *the token is never an argument*: it comes from the environment or from a file, and no
message quotes it.
Invariant *the token is private*: a file that users other than its owner may read or write is
refused; only a service reads one of another user, as containers mount them, and says so.
Invariant *whole output*: a file is replaced as a whole (see `status_contracts.adapters.files`).
"""

import os
import shlex
import stat
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final, TypeVar

from status_contracts.adapters.files import file_problem, is_file, is_open_to_others, replace
from status_contracts.cli.arguments import Styled, command
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, USAGE, Failed
from status_contracts.cli.problems import problems_of
from status_contracts.cli.terminal import echo_warning, write
from status_contracts.messages import Secret
from status_contracts.pages.settings import DEFAULT_PAGE, PageSettings
from status_contracts.primitives import has_control, has_surrogate, plural

__all__ = [
    "TOKEN_RULE", "input_name", "make_token", "page_settings", "read_each", "read_file",
    "read_input", "read_token", "write_file", "write_files",
]  # fmt: skip

Value = TypeVar("Value")
_STDIO: Final = "-"
_NEW_FILE_MODE: Final = 0o666  # before the umask; a replaced file keeps its mode
_TOKEN_LENGTHS: Final = range(32, 1024 + 1)
TOKEN_RULE: Final = (
    f"an ingest token has {_TOKEN_LENGTHS[0]} to {_TOKEN_LENGTHS[-1]} characters, without white"
    " space and control characters; to make one:"
)
_TOKEN_BYTES: Final = 3 + 4 * _TOKEN_LENGTHS[-1] + 2  # byte order mark, characters, line end
_SITE_BYTES: Final = 1 << 26  # of a file of a site that may be replaced


def read_file(
    name: str, max_bytes: int, *, too_long: int = CANNOT, is_regular: bool = True
) -> bytes:
    """Return the bytes of a file; raise Failed if it cannot be read.

    A longer one fails with the exit code `too_long`.  If it must be regular, a FIFO or a device is
    not opened.
    """
    path = Path(name)
    with _failing("read", name):
        if is_regular and not (path.is_file() or path.is_dir()) and path.exists():
            raise Failed(CANNOT, f"cannot read {name}: it is not a regular file")
        with path.open("rb") as file:
            return _read_bounded(name, file, max_bytes, too_long)


def input_name(name: str) -> str:
    """Return the name of a file for a message; `-` is the standard input."""
    return "standard input" if name == _STDIO else name


def read_input(name: str, max_bytes: int) -> bytes:
    """Return the bytes of any file, or of the standard input for `-`; raise as `read_file`."""
    if name != _STDIO:
        return read_file(name, max_bytes, too_long=REFUSED, is_regular=False)
    with _failing("read", input_name(name)):
        return _read_bounded(input_name(name), sys.stdin.buffer, max_bytes, REFUSED)


def read_each(
    names: Iterable[str], read: Callable[[str], Value], *, is_whole: bool
) -> tuple[dict[str, Value], Failed | None]:
    """Return what is read of each file by name, and the failure of those that cannot be read.

    If the output must be whole, raise the first failure.
    """
    values, all_failed = dict[str, Value](), Failed(OK)
    for name in dict.fromkeys(names):
        try:
            values[name] = read(name)
        except Failed as failed:
            if is_whole:
                raise
            code = max(all_failed.exit_code, failed.exit_code)
            all_failed = Failed(code, *all_failed.lines, *failed.lines)
    return values, all_failed if all_failed.exit_code else None


@contextmanager
def _failing(action: str, name: str) -> Iterator[None]:
    """Raise Failed in place of what the system raises for a file."""
    try:
        yield
    except OSError as error:
        raise Failed(CANNOT, f"cannot {action} {name}: {file_problem(error, action)}") from None
    except ValueError as error:  # a null character in the name
        raise Failed(CANNOT, f"cannot {action} {name!r}: {error}") from None


def read_token(file: str | Path | None, *, is_service: bool = False) -> str | None:
    """Return the token in a file, or else the one in the environment, where an empty one is none.

    `is_service`: of a program that also reads a file of another user that is open to others, with a
    warning.  Raise Failed, with a remedy, for a file that is open to others, is missing, or has
    another text than a token.
    """
    name, token = str(file), os.environ.get("INGEST_TOKEN") or None
    place = "INGEST_TOKEN" if file is None else f"the token of {input_name(name)}"
    try:
        if file is not None:
            token = _token_in(name, is_service=is_service)
        if token is not None:
            _check_token(token, place)
    except Failed as failed:
        if failed.lines[1:] or (failed.exit_code == CANNOT and os.path.lexists(name)):
            raise  # it has a remedy, or must not be replaced
        words, remedy = f"{failed.lines[0]}; {TOKEN_RULE}", make_token(file)
        raise Failed(failed.exit_code, words, remedy) from None
    return token


def make_token(file: str | Path | None) -> Styled:
    """Return the command that makes a token in a file, or else in INGEST_TOKEN."""
    text = "python3 -c 'import secrets; print(secrets.token_hex())'"
    named = f"(umask 077; {text} > {shlex.quote('token' if file == _STDIO else str(file))})"
    return command(f"export INGEST_TOKEN=$({text})" if file is None else named)


def _token_in(file: str, *, is_service: bool) -> str:
    if file != _STDIO:
        _check_private(file, is_service=is_service)
    try:
        return read_input(file, _TOKEN_BYTES).decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError:
        raise Failed(USAGE, f"the token file {file} is not text in UTF-8") from None


def _check_token(token: str, place: str) -> None:
    """Raise Failed for a token that no service accepts, or no header field can contain."""
    signs = ", with white space" if Secret(token).has_whitespace else ""
    if has_control(token) or has_surrogate(token):
        signs = ", with control characters"
    if signs or len(token) not in _TOKEN_LENGTHS:
        raise Failed(USAGE, f"{place} has {plural(len(token), 'character')}{signs}")


def _check_private(file: str, *, is_service: bool) -> None:
    """Raise Failed for a token file that users other than its owner may read or write."""
    with _failing("read", file):
        status = Path(file).stat()
    if not (is_file(status) and is_open_to_others(status.st_mode)):
        return
    mode = f"mode {stat.S_IMODE(status.st_mode):03o}"
    if is_service and status.st_uid != os.geteuid():
        belongs = f"belongs to user {status.st_uid} and is open to others ({mode})"
        echo_warning(f"the token file {file} {belongs}")
        return
    raise Failed(
        REFUSED,
        f"the token file {file} is open to other users of this computer ({mode}):",
        command(f"chmod 600 {shlex.quote(file)}"),
    )


def page_settings(name: str | None) -> PageSettings:
    """Return the settings of pages in a file, or the default ones; raise Failed with all faults."""
    if name is None:
        return DEFAULT_PAGE
    from status_contracts.adapters import page_files  # noqa: PLC0415 - reading pages takes long

    try:
        with _failing("read", name):
            return page_files.load_page_settings(Path(name))
    except page_files.SettingsError as error:
        raise Failed(USAGE, *problems_of(name, error.findings)) from None


def write_file(name: str | None, data: bytes) -> None:
    """Write a file, and replace an existing one; without a name, or for `-`, the standard output.

    A link stays a link, to a new file.  A device or a pipe is opened and written.  Raise Failed if
    that is impossible, and for an image without a name that a terminal would show as text.
    """
    if name is None and data.startswith(b"<svg") and sys.stdout.isatty():
        raise Failed(USAGE, "an image is not for a terminal: give -o FILE, or pipe it")
    if name in {None, _STDIO}:
        write(data if data.endswith(b"\n") else data + b"\n")  # the prompt is on its own line
        return
    with _failing("write", name):
        path = Path(os.path.realpath(name))
        if path.exists() and not path.is_file():
            path.write_bytes(data)
        else:
            replace(path, data, created=_NEW_FILE_MODE)


def write_files(
    folder: Path, files: Mapping[str, bytes], is_own: Callable[[bytes], bool] | None = None
) -> None:
    """Write files by their path in a folder, and create the folders that are missing.

    Raise as `write_file`; before that, Failed for no folder, or a file that `is_own` refuses.
    """
    if folder.exists() and not folder.is_dir():
        raise Failed(USAGE, f"-o {folder}: it is not a folder")
    for path in map(folder.joinpath, files):
        with _failing("read", str(path)):
            if is_own and path.exists() and not is_own(read_file(str(path), _SITE_BYTES)):
                message = f"{path} exists and is not a file of this command"
                raise Failed(REFUSED, f"{message}; remove it, or give another folder")
    for name, data in files.items():
        path = folder / name
        with _failing("write", str(path.parent)):
            path.parent.mkdir(parents=True, exist_ok=True)
        write_file(str(path), data)


def _read_bounded(name: str, file: BinaryIO, max_bytes: int, too_long: int) -> bytes:
    data = file.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise Failed(too_long, f"{name} has more than the {max_bytes} bytes that are allowed")
    return data

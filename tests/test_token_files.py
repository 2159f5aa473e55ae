"""Token files of every command that reads one.  Invariant *the token is private*."""

import os
import re
from pathlib import Path

import pytest

from support.servers.commands import CANARY, run, run_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")

URL = "http://127.0.0.1:9"
CLIENTS = {
    "agent": ("agent", "--once", "--config", "agent.toml", "--url", URL),
    "push": ("push", "body.json", "--url", URL),
    "conformance": ("conformance", URL, "--write"),
}
"""Commands that send the token."""
SERVE = ("serve", "--port", "0", "--store", "memory:")
READERS = {
    **{name: (*client, "--token-file", "token") for name, client in CLIENTS.items()},
    "serve": (*SERVE, "--token-file", "token"),
    "serve several": (*SERVE, "--device", "laptop=token"),
}
NOBODY = 65_534


@pytest.fixture
def token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.toml").touch()
    (tmp_path / "body.json").write_text("{}")
    (tmp_path / "token").write_text(CANARY)
    return Path("token")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o602, 0o620])
@pytest.mark.parametrize("arguments", READERS.values(), ids=READERS)
def test_one_that_others_may_open_is_refused_with_the_remedy(
    arguments: tuple[str, ...], mode: int, token: Path
) -> None:
    token.chmod(mode)
    ended = run(*arguments)
    assert ended.code == 1
    words = f"the token file token is open to other users of this computer (mode {mode:03o}):\n    "
    assert f"{words}chmod 600 token" in ended.err
    assert CANARY not in ended.err


@pytest.mark.parametrize(
    ("text", "code", "problem"),
    [
        ("", 2, "the token of token has 0 characters"),
        ("short-canary", 2, "the token of token has 12 characters"),
        ("\x01" * 40, 2, "the token of token has 40 characters, with control characters"),
        ("x" * 5000, 1, "token has more than the 4101 bytes that are allowed"),
        (None, 3, "cannot read token: it does not exist"),
    ],
)
@pytest.mark.parametrize("arguments", READERS.values(), ids=READERS)
def test_one_without_a_token_is_refused_with_the_command_that_makes_one(
    arguments: tuple[str, ...], text: str | None, code: int, problem: str, token: Path
) -> None:
    if text is None:
        token.unlink()
    else:
        token.write_text(text)
        token.chmod(0o600)
    ended = run(*arguments)
    words = "an ingest token has 32 to 1024 characters, without white space and control characters"
    command = "(umask 077; python3 -c 'import secrets; print(secrets.token_hex())' > token)"
    assert ended.code == code
    assert ended.err.endswith(f"{problem}; {words}; to make one:\n    {command}\n")


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="gives a file away")
@pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)
def test_a_client_refuses_one_that_is_mounted(client: tuple[str, ...], token: Path) -> None:
    token.chmod(0o644)
    os.chown(token, NOBODY, NOBODY)
    ended = run(*client, "--token-file", "token")
    assert (ended.code, "(mode 644):\n    chmod 600 token" in ended.err) == (1, True)


@pytest.mark.skipif(os.name == "posix" and os.geteuid() != 0, reason="gives a file away")
@pytest.mark.parametrize(
    ("mode", "warning"),
    [
        (0o444, "belongs to user 65534 and is open to others (mode 444)\n"),
        (0o640, "belongs to user 65534 and is open to others (mode 640)\n"),
        (0o400, ""),
    ],
)
@pytest.mark.parametrize("option", ["--token-file=token", "--device=laptop=token"])
def test_a_service_reads_one_that_is_mounted_and_says_so(
    option: str, mode: int, warning: str, token: Path
) -> None:
    token.chmod(mode)
    os.chown(token, NOBODY, NOBODY)
    ended = run_until(r"a snapshot expires after", *SERVE, option)
    start = "warning: the token file token "
    assert (ended.code, ended.err.removeprefix(start)) == (0, warning)


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_it_may_have_the_mark_and_the_ends_that_editors_write(
    start: str, end: str, token: Path
) -> None:
    token.write_bytes(f"{start}{CANARY}{end}".encode())
    token.chmod(0o600)
    assert run("push", "body.json", "--url", URL, "--token-file", "token").code == 1
    token.write_bytes(f"{start}{CANARY} {end}".encode())
    ended = run("push", "body.json", "--url", URL, "--token-file", "token")
    words = f"token has {len(CANARY) + 1} characters, with white space;"
    assert (ended.code, words in ended.err) == (2, True)


def test_a_pipe_is_none(token: Path) -> None:
    """`--token-file <(pass token)`: a pipe has no other readers, whatever its mode."""
    token.unlink()
    os.mkfifo(token, 0o666)
    token.chmod(0o666)
    if os.fork() == 0:
        token.write_text("short")
        os._exit(0)
    ended = run("push", "body.json", "--url", URL, "--token-file", "token")
    os.wait()
    assert (ended.code, "token has 5 characters; an" in ended.err) == (2, True)


def test_the_agent_and_the_guide_name_one_path(token: Path) -> None:
    """Beside the settings, where `token_file = "token"` of the template finds it."""
    place = token.absolute().parent / "new" / "agent.toml"
    ended = run("agent", "--init", "--config", place)
    assert f"> {place.with_name('token')})\nthen try\n    " in ended.out
    assert '#token_file = "token"' in place.read_text("utf-8")
    guide = Path(__file__).parents[1] / "docs/how-to/two-computers.md"
    paths = {*re.findall(r"\S+/token\b", guide.read_text("utf-8"))}
    assert {path for path in paths if "~" in path or "home" in path} == {
        "~/.config/status-contracts/token"
    }

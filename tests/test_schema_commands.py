"""The subcommand `schema` of the three commands, in process."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from devicestatus.cli.main import main as devicestatus
from healthapi.cli.main import main as healthapi
from sitedata.cli.main import main as sitedata
from status_contracts.cli.shipped import build_schemas

Main = Callable[[Sequence[str]], int]


@pytest.mark.parametrize(
    ("main", "product", "name"),
    [
        (devicestatus, "devicestatus", "window"),
        (healthapi, "healthapi", "dashboard"),
        (sitedata, "sitedata", "site-data"),
    ],
)
def test_schemas_are_listed_printed_and_written(
    main: Main, product: str, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    schemas = build_schemas(product)
    assert main(["schema", "--list"]) == main(["schema"]) == 0
    lines = capsys.readouterr().out.splitlines()[: len(schemas.names) + 1]
    assert tuple(line.split()[0] for line in lines[1:]) == schemas.names
    assert not any(re.search("[a-z][A-Z]", line.replace("OpenAPI", "")) for line in lines)
    for each in (name, "openapi"):
        assert main(["schema", each]) == 0
        assert capsys.readouterr().out == schemas.text(each)
    path = tmp_path / "made.json"
    assert main(["schema", name, "-o", str(path)]) == 0
    assert path.read_text("utf-8") == schemas.text(name)


@pytest.mark.parametrize(
    ("arguments", "code", "start", "end"),
    [
        (
            ("windowx",),
            2,
            "NAME: invalid choice 'windowx'; did you mean 'window'? (",
            "manifest, openapi)\n",
        ),
        (("window", "-o", "/nowhere/a.json"), 3, "cannot write /nowhere/a.json", "not exist\n"),
    ],
)
def test_what_is_wrong_is_said(
    arguments: tuple[str, ...], code: int, start: str, end: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert devicestatus(["schema", *arguments]) == code
    message = capsys.readouterr().err
    assert message.startswith(f"devicestatus: {start}")
    assert message.endswith(end)

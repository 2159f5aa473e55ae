"""The TypeScript declarations, compiled by `tsc --strict` against valid and invalid values."""

import json
import re
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from devicestatus.testing.faults import invalid_snapshots, invalid_windows
from devicestatus.testing.strategies import plain_snapshots, plain_windows
from sitedata.testing.strategies import bodies, faulty_bodies
from support.schemas.drawn import drawn
from support.schemas.responses import health_responses, response_cases
from support.schemas.validators import schema_set
from support.servers.services import need, node_package

Case = tuple[str, object]
"""Name of a type, and a value."""
MODULES = {"device": "devicestatus", "health": "healthapi", "site": "sitedata"}
TYPED_RULES = ("type", "required", "unknown", "constant")
"""Rules that types state; limits and rules between members are in the schemas only."""
BODIES = {
    "update-result": "UpdateResult",
    "health": "Health",
    "error": "ErrorBody",
    "icon-manifest": "IconManifest",
}
COUNT = 20


def compiled(folder: Path, valid: Iterable[Case], invalid: Iterable[Case]) -> str:
    """Compile a module that uses values as types; return what the compiler reports."""
    for module, product in MODULES.items():
        (folder / f"{module}.d.ts").write_text(schema_set(product).text("types"), "utf-8")
    lines = [f'import type * as {module} from "./{module}";' for module in MODULES]
    number = 0
    for number, (name, value) in enumerate(valid):
        lines.append(f"export const v{number} = {json.dumps(value)} satisfies {name};")
    assert number > COUNT // 2
    for number, (name, value) in enumerate(invalid):
        lines.append("// @ts-expect-error")
        lines.append(f"export const x{number} = {json.dumps(value)} satisfies {name};")
    (folder / "values.ts").write_text("\n".join(lines), "utf-8")
    return _tsc(folder, "values.ts")


def _tsc(folder: Path, file: str, libraries: str = "es2022") -> str:
    """Compile a file with some of the standard libraries; return what the compiler reports."""
    options = ("--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022")
    resolution = ("--module", "esnext", "--moduleResolution", "bundler", "--pretty", "false")
    known = ("--lib", libraries, "--skipDefaultLibCheck")
    tsc = node_package("typescript") / "bin" / "tsc"
    done = subprocess.run(
        [need("node", "nodejs"), str(tsc), *options, *resolution, *known, file],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.stdout[:3000] + done.stderr[:1000]


def _plain(value: object) -> object:
    """Return the value of a body, or a plain value as it is."""
    return json.loads(value) if isinstance(value, bytes) else value


def test_bodies_of_writes(tmp_path: Path) -> None:
    valid: list[Case] = [("device.Snapshot", each) for each in drawn(plain_snapshots(), COUNT)]
    valid += [("device.Window", each) for each in drawn(plain_windows(), COUNT)]
    invalid: list[Case] = []
    for rule in TYPED_RULES:
        snapshots = drawn(invalid_snapshots(rule), COUNT)
        windows = drawn(invalid_windows(rule), COUNT)
        invalid += [("device.Snapshot", _plain(each.value)) for each in snapshots]
        invalid += [("device.Window", _plain(each.value)) for each in windows]
    assert len(invalid) > 6 * COUNT
    assert compiled(tmp_path, valid, invalid) == ""


def _type_of(document: str) -> str:
    words = "".join(word.capitalize() for word in document.split("-"))
    return f"device.{BODIES.get(document, f'{words}Body')}"


def _incomplete(cases: Iterable[Case]) -> Iterator[Case]:
    """Generate the objects with an unknown member, and without one that they need."""
    for name, value in cases:
        if isinstance(value, dict):
            yield name, {**value, "unknown": 1}
            yield name, {each: value[each] for each in value if each not in {"status", "ok"}}


def test_responses_of_device_status(tmp_path: Path) -> None:
    valid: list[Case] = [(_type_of(document), value) for document, value in response_cases()]
    with_state = [(name, value) for name, value in valid if "status" in dict(value)]  # type: ignore[call-overload]
    assert compiled(tmp_path, valid, _incomplete(with_state)) == ""


def test_responses_of_health_data(tmp_path: Path) -> None:
    valid: list[Case] = []
    for document, value in health_responses():
        words = "".join(word.capitalize() for word in document.split("-"))
        valid.append((f"health.{words}Body", value))
    invalid: list[Case] = [
        (name, {**value, "api_version": "v2"}) for name, value in valid if isinstance(value, dict)
    ]
    assert compiled(tmp_path, valid, invalid) == ""


def test_site_data_files(tmp_path: Path) -> None:
    texts = [each.removeprefix(b"\xef\xbb\xbf") for each in drawn(bodies(), COUNT)]
    valid: list[Case] = [("site.Snapshot", json.loads(each)) for each in texts]
    invalid: list[Case] = [
        ("site.Snapshot", json.loads(each.body))
        for rule in ("type", "required")
        for each in drawn(faulty_bodies(rule), COUNT)
    ]
    assert compiled(tmp_path, valid, invalid) == ""


def _block(language: str) -> str:
    """Return the only code block of a language in the page of the schemas."""
    page = Path(__file__).parents[1] / "docs" / "reference" / "schemas.md"
    (found,) = re.findall(
        rf"^```{language}\n(.*?)^```", page.read_text("utf-8"), re.DOTALL | re.MULTILINE
    )
    return str(found)


class TestPage:
    """The examples of docs/reference/schemas.md in other languages run."""

    @pytest.mark.parametrize("percent", [50, 101])
    def test_ajv(self, tmp_path: Path, percent: int) -> None:
        (tmp_path / "node_modules").symlink_to(node_package("ajv").parent)
        (tmp_path / "schemas").symlink_to(Path(__file__).parents[1] / "schemas")
        found = schema_set("devicestatus").documents["snapshot"]["examples"][0]
        value = {**found, "battery": {**found["battery"], "percent": percent}}
        script = f"const snapshot = {json.dumps(value)};\n{_block('js')}"
        (tmp_path / "page.mjs").write_text(script, "utf-8")
        done = subprocess.run(
            [need("node", "nodejs"), "page.mjs"],
            cwd=tmp_path,
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert ("must be <= 100" in done.stdout) == (percent > 100)

    def test_types(self, tmp_path: Path) -> None:
        (tmp_path / "status.d.ts").write_text(schema_set("devicestatus").text("types"), "utf-8")
        text = f"export const response = new Response();\n{_block('ts')}"
        (tmp_path / "page.ts").write_text(text, "utf-8")
        assert _tsc(tmp_path, "page.ts", "es2022,dom") == ""
        wrong = text.replace("now.active_app", "now.activeApp")
        (tmp_path / "page.ts").write_text(wrong, "utf-8")
        assert "error TS" in _tsc(tmp_path, "page.ts", "es2022,dom")

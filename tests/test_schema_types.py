"""The TypeScript declarations, compiled by `tsc --strict` against valid and invalid values."""

import json
import subprocess
from collections.abc import Iterable, Iterator
from pathlib import Path

from devicestatus.testing.faults import invalid_snapshots, invalid_windows
from devicestatus.testing.strategies import plain_snapshots, plain_windows
from sitedata.testing.strategies import bodies, faulty_bodies
from support.schemas.drawn import drawn
from support.schemas.responses import health_responses, response_cases
from support.schemas.validators import node_package, schema_set
from support.servers.services import need

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
COUNT = 60


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
    options = ("--strict", "--exactOptionalPropertyTypes", "--noEmit", "--target", "es2022")
    resolution = ("--module", "esnext", "--moduleResolution", "bundler", "--pretty", "false")
    tsc = node_package("typescript") / "bin" / "tsc"
    done = subprocess.run(
        [need("node", "nodejs"), str(tsc), *options, *resolution, "values.ts"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done.stdout[:3000] + done.stderr[:1000]


def test_bodies_of_writes(tmp_path: Path) -> None:
    valid: list[Case] = [("device.Snapshot", each) for each in drawn(plain_snapshots(), COUNT)]
    valid += [("device.Window", each) for each in drawn(plain_windows(), COUNT)]
    invalid: list[Case] = []
    for rule in TYPED_RULES:
        invalid += [
            ("device.Snapshot", each.value) for each in drawn(invalid_snapshots(rule), COUNT)
        ]
        invalid += [("device.Window", each.value) for each in drawn(invalid_windows(rule), COUNT)]
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

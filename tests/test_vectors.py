"""The vectors: the engine and second implementations agree with the files, which people edit.

Of the second implementations, `test_vectors_in_node.py` runs the vectors in Node, and the kit
compares the engine with a server that shares no code with it.
"""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator

from devicestatus.cli import main as device_cli
from devicestatus.cross_field import RULES
from devicestatus.models import Snapshot, Window
from devicestatus.strategies import CASES as DEVICE_CASES
from healthapi.cli import main as health_cli
from sitedata import parsing as checking
from sitedata.cli import main as site_cli
from sitedata.models import Snapshot as SiteSnapshot
from sitedata.strategies import CASES as SITE_CASES
from status_contracts.adapters import contract
from status_contracts.adapters.contract import body_bytes
from status_contracts.findings import pointer
from status_contracts.structuring.cases import Cases
from support.vectors import device, health, site
from support.vectors.cases import FOLDER, Json, Results, cases_of, content_of

RESULTS: Final[Results] = {
    f"{product}/{topic}": result
    for product, topics in {"devicestatus": device, "healthapi": health, "sitedata": site}.items()
    for topic, result in topics.RESULTS.items()
}
"""Topic, as `devicestatus/parsing`, to the function that returns the result of an input."""
CONTENTS: Final[dict[str, Json]] = {topic: content_of(topic) for topic in RESULTS}


class TestFiles:
    def test_there_is_no_other_file(self) -> None:
        found = {f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.json")}
        assert found == RESULTS.keys()

    @pytest.mark.parametrize("topic", RESULTS)
    def test_the_engine_returns_what_a_file_expects(self, topic: str) -> None:
        assert [
            case["id"]
            for case in cases_of(topic)
            if json.loads(json.dumps(RESULTS[topic](case["input"]))) != case["expected"]
        ] == []

    def test_every_file_has_the_form_of_the_schema(self) -> None:
        schema = json.loads((FOLDER / "vectors.schema.json").read_text("utf-8"))
        validator = Draft202012Validator(schema)
        faults = [
            (name, error.instance_path, error.message[:200])
            for name, content in CONTENTS.items()
            for error in validator.iter_errors(content)
        ]
        assert faults == []

    @pytest.mark.parametrize(
        ("place", "value"),
        [
            (("cases", 0, "id"), "Not an id"),
            (("cases", 0, "rules"), []),
            (("cases", 0, "rules", 0), "DS-WINDOW-7"),
            (("cases", 0, "note"), "unknown"),
            (("cases", 0, "input", "now"), "2026-01-01T12:00:00.000Z"),
            (("cases", 0, "input", "clock"), 1),
            (("cases", 0, "expected"), {"deadline": 1}),
            (("format",), 2),
            (("product",), "sitedata"),
            (("topic",), "parsing"),
        ],
    )
    def test_the_schema_refuses_another_form(self, place: tuple[Any, ...], value: object) -> None:
        content = deepcopy(content_of("devicestatus/deadlines"))
        parent: Any = content
        for step in place[:-1]:
            parent = parent[step]
        parent[place[-1]] = value
        schema = json.loads((FOLDER / "vectors.schema.json").read_text("utf-8"))
        assert not Draft202012Validator(schema).is_valid(content)

    def test_counts_and_ids_are_right(self) -> None:
        for content in CONTENTS.values():
            assert content["count"] == len(content["cases"])
            assert len({case["id"] for case in content["cases"]}) == content["count"]


class TestRules:
    def test_every_finding_of_device_status_has_a_case(self) -> None:
        found = {
            finding["rule"]
            for topic in ("devicestatus/parsing", "devicestatus/manifests")
            for case in cases_of(topic)
            for finding in case["expected"].get("findings", ())
        }
        # Lone surrogates in a body are `invalid_json` here; the rules allow both codes.
        assert set(RULES) - found == {"text.surrogate"}

    def test_every_publishing_rule_has_a_case(self) -> None:
        found = {
            warning["rule"]
            for case in cases_of("sitedata/files")
            for warning in case["expected"].get("warnings", ())
        }
        assert found == set(checking.RULES)

    @pytest.mark.parametrize(
        ("topic", "cases", "models"),
        [
            ("devicestatus/parsing", DEVICE_CASES, (Snapshot, Window)),
            ("sitedata/files", SITE_CASES, (SiteSnapshot,)),
        ],
        ids=["device", "site"],
    )
    def test_every_limit_has_a_case_beyond_it(
        self, topic: str, cases: Cases, models: tuple[type, ...]
    ) -> None:
        """In at least one of the places of a member: a snapshot is also in windows."""
        found = {
            (member_of(finding["path"]), finding["rule"])
            for case in cases_of(topic)
            for finding in case["expected"].get("findings", ())
        }
        limited = {
            (member_of(pointer(case.path)), case.rule)
            for model in models
            for case in cases.of(model)
            if case.at and case.rule.endswith((".range", ".length"))
        }
        assert len(limited) > 1
        assert limited - found == set()


def member_of(path: str) -> str:
    """Return the member of a path, without the places in lists."""
    return next((step for step in reversed(path.split("/")) if not step.isdecimal()), "")


PROGRAMS: Final = {"devicestatus": device_cli, "healthapi": health_cli, "sitedata": site_cli}


@pytest.mark.parametrize("product", PROGRAMS)
class TestCommand:
    def test_it_lists_the_topics(self, product: str, capsys: pytest.CaptureFixture[str]) -> None:
        assert PROGRAMS[product].main(["vectors"]) == 0
        lines = capsys.readouterr().out.splitlines()
        listed = [tuple(line.split()[:2]) for line in lines[1:] if not line.startswith(" ")]
        contents = [content for content in CONTENTS.values() if content["product"] == product]
        assert listed == sorted((each["topic"], str(each["count"])) for each in contents)

    def test_it_writes_the_files_and_their_schema(self, product: str, tmp_path: Path) -> None:
        output = tmp_path / "new" / "folder"
        assert PROGRAMS[product].main(["vectors", "-o", str(output)]) == 0
        assert PROGRAMS[product].main(["vectors", "-o", str(output)]) == 0  # replaces them
        written = {path.relative_to(output): path.read_bytes() for path in output.rglob("*.json")}
        names = [Path("vectors.schema.json")]
        names += [Path(f"{topic}.json") for topic in RESULTS if topic.startswith(product)]
        assert written == {name: (FOLDER / name).read_bytes() for name in names}

    def test_a_folder_that_cannot_be_made_is_reported(
        self, product: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "file").write_text("")
        assert PROGRAMS[product].main(["vectors", "-o", str(tmp_path / "file")]) == 2
        reported = capsys.readouterr().err
        assert reported == f"{product}: -o {tmp_path}/file: it is not a folder\n"


def test_an_installed_package_has_its_own_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "vectors").mkdir()
    monkeypatch.setattr(contract, "files", lambda _: tmp_path)
    assert contract.vectors_folder() == tmp_path / "vectors"


class TestReading:
    def test_bodies_are_joined_from_text_base64_and_repetitions(self) -> None:
        parts: list[Any] = [
            "a\u00e9",
            {"base64": "/w=="},
            {"repeat": "#x", "times": 3, "join": ","},
        ]
        assert body_bytes(parts) == b"a\xc3\xa9\xff1x,2x,3x"

    def test_ids_of_one_rule_are_spread_over_products_by_their_prefix(self) -> None:
        prefixes = {"devicestatus": "DS", "healthapi": "HA", "sitedata": "SD"}
        for topic, content in CONTENTS.items():
            rules = {rule[:2] for case in content["cases"] for rule in case["rules"]}
            assert rules == {prefixes[topic.partition("/")[0]]}

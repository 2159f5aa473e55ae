"""The rules of docs/design/architecture.md, checked by parsing the imports of every file.

The core is everything but adapters, commands, kits, `testing/` and the agent: it imports only what
cannot read a clock, a socket, a file, the environment or randomness.  Each rule below is one test;
a failure names file and line.
"""

import ast
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import attrs
import pytest

SOURCES = Path(__file__).parents[1] / "src"
PRODUCTS = {"devicestatus", "healthapi", "sitedata"}
SHARED = "status_contracts"
PROGRAMS = {"health_import": "healthapi", "status_agent": "devicestatus"}
"""Program to the library that it uses; a command finds its program by an entry point."""
PACKAGES = {SHARED, *PRODUCTS, *PROGRAMS}
OUTER = {
    *("devicestatus.devices", "devicestatus.page", "healthapi.page"),
    *("health_import.archives", "health_import.arguments", "health_import.cli", "sitedata.page"),
}
OUTER_NAMES = {"adapters", "cli", "conformance"}
"""Modules and folders that reach the outside: adapters, commands, kits, pages with their files."""
TESTING_NAMES = {"store_contract", "strategies", "testing"}
"""Modules that only tests import; they need the `testing` extra."""

PURE = {
    *("array", "base64", "bisect", "collections", "collections.abc", "decimal", "fractions"),
    *("contextlib", "copy", "csv", "datetime", "difflib", "email.utils", "enum"),
    *("fnmatch", "functools", "graphlib", "hashlib", "hmac", "html", "importlib", "io"),
    *("ipaddress", "itertools", "json", "math", "operator"),
    *("re", "reprlib", "shlex", "statistics", "string", "textwrap", "types", "typing"),
    *("xml.etree", "xml.parsers", "unicodedata", "urllib.parse", "weakref"),
}
"""What the core may import of the standard library."""
PURE_NAMES = {
    "datetime": {"UTC", "date", "datetime", "timedelta", "timezone", "tzinfo"},
    "email.utils": {"format_datetime", "parsedate_to_datetime"},
    "importlib": {"import_module"},
    "io": {"BytesIO", "StringIO", "TextIOWrapper"},
    "statistics": {"StatisticsError", "correlation", "fmean", "median", "quantiles"},
}
"""Of some modules only these names, because others read the clock or draw random numbers."""
CLOCK_READERS = {
    "date": {"today", "fromtimestamp"},
    "datetime": {"fromtimestamp", "now", "today", "utcfromtimestamp", "utcnow"},
}
WRITTEN_CODE = {("status_contracts.structuring.fast_decoder", "exec")}
"""Where code is written and run: constructors, of what stands in the classes of models."""
IMPURE_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}

THIRD_PARTY = {
    "attrs": r".*",
    "msgspec": r"status_contracts/(json_text|structuring/fast_decoder)\.py",
    "cattrs": r"(status_contracts/structuring/converter|(devicestatus|sitedata)/converters)\.py",
    "dateutil": r"(status_contracts/(days|svg/axis)|sitedata/views/(calendar|heatmap))\.py",
    "can_ada": r"(devicestatus/music_urls|sitedata/parsing)\.py",
    "hypothesis": r"\w+/strategies\.py",
    "pytest": r"\w+/(conformance/testing|store_contract|strategies)\.py",
    "Xlib": r"status_agent/capture/x11\.py",
    "httpx2": (
        r"(devicestatus/adapters/upload_client|status_contracts/adapters/http_clients"
        r"|sitedata/adapters/fetch)\.py"
    ),
    "jeepney": r"status_agent/capture/dbus\.py",
    "platformdirs": r"status_agent/(cli|settings)\.py",
    "psutil": r"status_agent/capture/machine\.py",
    "redis": r"devicestatus/adapters/redis\.py",
    "uvicorn": r"status_contracts/cli/serving\.py",
}
"""Third-party package to the modules that may import it; no module imports another one."""
OPTIONAL = {
    *("django", "fastapi", "flask", "granian", "gunicorn", "httpx2", "hypothesis", "jeepney"),
    *("jsonschema_rs", "pandas", "platformdirs", "polars", "psutil", "pytest", "redis"),
    *("referencing", "schemathesis", "starlette", "uvicorn", "waitress", "Xlib"),
}
"""Packages that users of the core need not install, or should not wait for."""

LAYERS = {
    "status_contracts": (
        "days primitives",
        "instants",
        "conditional json_text svg",
        "findings messages",
        "exchange structuring",
        "endpoints",
        "pages",
    ),
    "devicestatus": (
        "errors limits music_urls",
        "deadlines models settings",
        "cross_field durations joining projection responses",
        "columns converters endpoints icons parsing record",
        "agent state",
        "bodies status_text",
        "explanation icon_files lane_values player_view",
        "badge lanes player schemas",
        "headline",
        "card service timeline",
    ),
    "healthapi": (
        "errors keys limits models redaction_names",
        "endpoints redaction",
        "envelope rows",
        "derived omissions snapshot",
        "chart_lines person",
        "chart views",
        "profile",
        "resources",
        "manual",
        "schemas",
        "service",
    ),
    "health_import": (
        "texts",
        "tables",
        "file_names gaps",
        "values",
        "readers",
        "sleeps",
        "apple garmin",
        "clock",
        "row_building",
        "report",
    ),
    "sitedata": (
        "errors limits",
        "models",
        "converters parsing",
        "building client service views",
        "schemas",
    ),
}
"""The folders and modules at the top of each package, lowest layer first.

A folder is one layer: a module imports its own folder and lower layers.
"""


@attrs.frozen
class Import:
    """One imported module, or one name of it, and the line where it stands."""

    line: int
    module: str
    name: str | None = None


@attrs.frozen(slots=False)
class Module:
    """One file of the packages."""

    path: Path

    @cached_property
    def file(self) -> str:
        return self.path.relative_to(SOURCES).as_posix()

    @cached_property
    def name(self) -> str:
        return self.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @cached_property
    def parts(self) -> list[str]:
        return self.name.split(".")

    @cached_property
    def package(self) -> str:
        return self.parts[0]

    @cached_property
    def kind(self) -> str:
        """`adapters`, `testing`, or `core`."""
        parts = set(self.parts)
        if TESTING_NAMES & parts:
            return "testing"
        is_outer = self.package == "status_agent" or self.name in OUTER
        return "adapters" if is_outer or OUTER_NAMES & parts else "core"

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.path.read_text("utf-8"), self.file)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def imports(self) -> list[Import]:
        return list(self._imports())

    def _imports(self) -> Iterator[Import]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (Import(node.lineno, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                module = f"{'.' * node.level}{node.module or ''}"
                yield from (Import(node.lineno, module, alias.name) for alias in node.names)

    @cached_property
    def defined(self) -> dict[str, ast.stmt]:
        """The names that the statements of the module bind, imports left out."""
        found: dict[str, ast.stmt] = {}
        for node in self.tree.body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                found[node.name] = node
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                names = (name for target in targets for name in ast.walk(target))
                found |= {name.id: node for name in names if isinstance(name, ast.Name)}
        return found

    @cached_property
    def exported(self) -> list[str] | None:
        """The names that `__all__` lists; None where there is none, or a comprehension."""
        node = self.defined.get("__all__")
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.List):
            return None
        names: list[str] = ast.literal_eval(node.value)
        return names

    @cached_property
    def public(self) -> set[str]:
        """The names in `__all__`; where there is none, the defined names without underscore."""
        names = self.defined if self.exported is None else self.exported
        return {name for name in names if not name.startswith("_")}

    def at(self, line: int, fault: str) -> str:
        return f"src/{self.file}:{line}: {fault}"


MODULES = {module.name: module for module in map(Module, sorted(SOURCES.rglob("*.py"), key=str))}
CORE = [module for module in MODULES.values() if module.kind == "core"]
NOT_CORE = [module for module in MODULES.values() if module.kind != "core"]


def target(found: Import) -> str:
    """Return the module to which an import leads: a submodule where the name is one."""
    submodule = f"{found.module}.{found.name}"
    return submodule if submodule in MODULES else found.module


def own_imports(module: Module) -> Iterator[tuple[Import, Module]]:
    """Yield the imports of modules of this distribution."""
    for found in module.imports:
        if found.module.split(".")[0] in PACKAGES:
            yield found, MODULES[target(found)]


def calls_of(names: set[str], modules: Iterable[Module]) -> Iterator[str]:
    """Yield the calls of functions of these names, but for `WRITTEN_CODE`."""
    for module in modules:
        for node in module.nodes:
            match node:
                case ast.Call(func=ast.Name(name)) if name in names:
                    if (module.name, name) not in WRITTEN_CODE:
                        yield module.at(node.lineno, f"{name}() is called")


def assert_none(faults: Iterable[str]) -> None:
    """Fail with all faults, one a line."""
    listed = list(faults)
    if listed:
        pytest.fail("\n" + "\n".join(listed), pytrace=False)


class TestParsing:
    def test_all_packages_are_found(self) -> None:
        assert {module.package for module in MODULES.values()} == PACKAGES
        assert {module.kind for module in MODULES.values()} == {"core", "adapters", "testing"}
        assert {path.name for path in SOURCES.iterdir() if path.is_dir()} >= PACKAGES


@pytest.mark.rule("DS-TIME-06", "DS-TIME-07")
class TestPurity:
    """Nothing outside `adapters/` reads a clock, socket, file, environment or randomness."""

    def test_the_core_imports_only_pure_modules_of_the_standard_library(self) -> None:
        assert_none(
            module.at(found.line, f"the core does not import {found.module}")
            for module in CORE
            for found in module.imports
            if found.module.split(".")[0] in sys.stdlib_module_names and found.module not in PURE
        )

    def test_of_modules_that_can_read_the_clock_only_pure_names_are_imported(self) -> None:
        assert_none(
            module.at(found.line, f"the core does not import {found.module}.{found.name or '*'}")
            for module in CORE
            for found in module.imports
            if found.name not in PURE_NAMES.get(found.module, {found.name})
        )

    def test_the_core_calls_nothing_that_reaches_outside(self) -> None:
        assert_none(calls_of(IMPURE_CALLS, CORE))

    def test_the_core_asks_no_date_for_today(self) -> None:
        assert_none(
            module.at(node.lineno, f"{node.value.id}.{node.attr} reads the clock")
            for module in CORE
            for node in module.nodes
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.attr in CLOCK_READERS.get(node.value.id, ())
        )

    def test_no_file_holds_an_assert_statement(self) -> None:
        """It would vanish under `python -O`."""
        assert_none(
            module.at(node.lineno, "raise instead of assert")
            for module in MODULES.values()
            for node in module.nodes
            if isinstance(node, ast.Assert)
        )


class TestCode:
    def test_nothing_evaluates_text_or_loads_objects(self) -> None:
        """In all of the packages, adapters and testing included."""
        assert_none(calls_of({"__import__", "compile", "eval", "exec"}, MODULES.values()))
        assert_none(
            module.at(found.line, f"nothing imports {found.module}")
            for module in MODULES.values()
            for found in module.imports
            if found.module.split(".")[0]
            in {"code", "codeop", "dill", "marshal", "pickle", "runpy", "shelve", "yaml"}
        )


class TestImports:
    """Which packages and modules may import which."""

    def test_third_party_packages_are_imported_where_listed(self) -> None:
        assert_none(
            module.at(found.line, f"{outside} is not imported here (see THIRD_PARTY)")
            for module in MODULES.values()
            for found in module.imports
            for outside in [found.module.split(".")[0]]
            if outside not in sys.stdlib_module_names | PACKAGES
            and not re.fullmatch(THIRD_PARTY.get(outside, r"\Z."), module.file)
        )

    def test_every_listed_package_is_imported(self) -> None:
        """An entry without an import is out of date."""
        used = {
            found.module.split(".")[0] for module in MODULES.values() for found in module.imports
        }
        assert THIRD_PARTY.keys() - used == set()

    def test_the_core_imports_no_adapters_and_no_testing(self) -> None:
        assert_none(
            module.at(found.line, f"the core does not import {other.name}")
            for module in CORE
            for found, other in own_imports(module)
            if other.kind != "core"
        )

    def test_nothing_imports_testing_but_itself(self) -> None:
        assert_none(
            module.at(found.line, f"only testing imports {other.name}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if other.kind == "testing"
            and (module.kind != "testing" or other.package not in {module.package, SHARED})
        )

    def test_testing_imports_no_adapters_but_those_that_reach_a_deployment(self) -> None:
        """The conformance tests send requests and read the contract that is shipped."""
        allowed = {"status_contracts.adapters.contract"}
        assert_none(
            module.at(found.line, f"testing does not import {other.name}")
            for module in NOT_CORE
            for found, other in own_imports(module)
            if module.kind == "testing" and other.kind == "adapters"
            if other.name not in allowed and "conformance" not in other.parts
        )

    def test_a_package_imports_itself_the_shared_one_and_a_program_its_library(self) -> None:
        """Adapters too; so products do not import each other, and nothing imports a program."""
        assert_none(
            module.at(found.line, f"{module.package} does not import {other.package}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if other.package not in {module.package, SHARED, PROGRAMS.get(module.package)}
        )

    def test_a_program_imports_names_that_are_promised(self) -> None:
        """Those in the `__all__` of a module that the API reference describes."""
        described = {
            name
            for page in SOURCES.parent.glob("docs/reference/api/*.md")
            for name in re.findall(r"automodule:: (\S+)$", page.read_text("utf-8"), re.MULTILINE)
        }
        assert_none(
            module.at(found.line, f"{found.module}.{found.name} is not in the API reference")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if module.package in PROGRAMS
            and other.package not in PROGRAMS
            and (
                other.name not in described
                or (other.name == found.module and found.name not in other.public)
            )
        )

    def test_only_public_names_are_imported(self) -> None:
        """Invariant of `adapters/` and `testing/`; the core keeps it as well."""
        assert_none(
            module.at(found.line, f"{found.name} is not public in {found.module}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if found.name is not None
            and target(found) == found.module
            and found.name not in other.public
        )

    def test_only_public_names_of_imported_modules_are_used(self) -> None:
        assert_none(
            module.at(node.lineno, f"{node.attr} is not public in {modules[node.value.id].name}")
            for module in MODULES.values()
            for modules in [_bound_modules(module)]
            for node in module.nodes
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in modules
            and node.attr not in modules[node.value.id].public | {"__all__"}
        )


def _bound_modules(module: Module) -> dict[str, Module]:
    """Return the own modules that stand under a name of their own, as after `from a import b`."""
    return {
        found.name: other
        for found, other in own_imports(module)
        if found.name is not None and target(found) != found.module
    }


BANNED_NAMES = {"found", "each", "given"}
"""Variables of the packages have the noun of what they hold: match, problem, options."""


def test_variables_have_the_noun_of_what_they_hold() -> None:
    assert_none(
        module.at(node.lineno, name)
        for module in MODULES.values()
        for node in module.nodes
        if isinstance(node, ast.arg)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        for name in [node.arg if isinstance(node, ast.arg) else node.id]
        if name in BANNED_NAMES
    )


class TestLayers:
    """A module imports its own folder and lower layers; there are no cycles."""

    @pytest.mark.parametrize("package", sorted(LAYERS))
    def test_every_folder_and_module_has_one_layer(self, package: str) -> None:
        found = {unit(module) for module in CORE if module.package == package} - {package}
        assert sorted(found) == sorted(" ".join(LAYERS[package]).split())

    def test_a_module_imports_its_own_folder_and_lower_layers(self) -> None:
        assert_none(
            module.at(found.line, f"{other.name} is not in a lower layer")
            for module in CORE
            for found, other in own_imports(module)
            if module.package == other.package != unit(module)
            and unit(module) != unit(other)
            and LEVELS[other.package].get(unit(other), len(LAYERS[other.package]))
            >= LEVELS[module.package][unit(module)]
        )

    def test_there_are_no_cycles_of_modules(self) -> None:
        """Checked in all of the packages, adapters and testing included."""
        assert_no_cycle(
            {
                module.name: {other.name for _, other in own_imports(module)}
                for module in MODULES.values()
            }
        )

    def test_there_are_no_cycles_of_folders(self) -> None:
        """Checked at every depth: a package, its folders, and the folders in these."""
        graph = defaultdict[str, set[str]](set)
        for module in MODULES.values():
            for _, other in own_imports(module):
                here, there = folders_apart(module, other)
                is_command = "cli" in module.parts and "conformance" in other.parts
                if here != there and not is_command:  # commands are above the kits
                    graph[here].add(there)
        assert_no_cycle(graph)


def unit(module: Module) -> str:
    """Return the folder or module at the top of the package to which a module belongs."""
    return module.parts[1] if len(module.parts) > 1 else module.package


def folders_apart(module: Module, other: Module) -> tuple[str, str]:
    """Return the names under which two modules differ first: `a.b` and `a.c` of `a.b.x`, `a.c`."""
    here, there = module.parts, other.parts
    for depth, (one, two) in enumerate(zip(here, there, strict=False)):
        if one != two:
            return ".".join(here[: depth + 1]), ".".join(there[: depth + 1])
    return "", ""  # a package and a module of it


LEVELS = {
    package: {name: level for level, layer in enumerate(layers) for name in layer.split()}
    for package, layers in LAYERS.items()
}


def assert_no_cycle(graph: Mapping[str, Iterable[str]]) -> None:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]), pytrace=False)


IMPORTING = """
import importlib, sys

def refuse(event, arguments):
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn")):
        raise SystemExit(f"{event} while importing {name}")

for name in ["socket", *sys.argv[1:]]:
    if name != "socket":
        importlib.import_module(name)
    else:
        sys.addaudithook(refuse)
print(*sorted(sys.modules))
"""


def imported_by(*names: str) -> set[str]:
    """Return the modules that a fresh interpreter without sockets holds after importing some."""
    command = [sys.executable, "-c", IMPORTING, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


class TestImporting:
    """A user of the core needs neither an optional package nor a network."""

    def test_the_whole_core_imports_without_any_optional_package(self) -> None:
        names = {module.name for module in CORE}
        loaded = imported_by(*sorted(names))
        assert loaded & OPTIONAL == set()
        assert loaded & {module.name for module in NOT_CORE} == set()
        assert names <= loaded

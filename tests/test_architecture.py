"""The rules of docs/design/architecture.md, checked by parsing the imports of every file.

The core is everything outside `adapters/` and `testing/`: it is pure, so it may import only what
cannot read a clock, a socket, a file, the environment or randomness.  Each rule below is one test;
a failure names file and line.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path

import attrs
import pytest

SOURCES = Path(__file__).parents[1] / "src"
PRODUCTS = {"devicestatus", "healthapi", "sitedata"}
SHARED = "purewire"
SCRIPTS = "status_contracts"
"""Where the scripts start; it knows the products by the names of their modules only."""
PROGRAMS = {"health_import": "healthapi", "status_agent": "devicestatus"}
"""Program to the library that it uses; a command finds its program by an entry point."""
PACKAGES = {SHARED, SCRIPTS, *PRODUCTS, *PROGRAMS}
OUTER = {
    *("health_import.archives", "health_import.arguments", "health_import.cli"),
}
"""Modules that count as adapters without being in a folder `adapters/`."""

PURE = {
    "array",
    "base64",
    "bisect",
    "collections",
    "collections.abc",
    "decimal",
    "fractions",
    "contextlib",
    "copy",
    "csv",
    "datetime",
    "difflib",
    "enum",
    "functools",
    "graphlib",
    "hashlib",
    "hmac",
    "html",
    "importlib",
    "io",
    "ipaddress",
    "itertools",
    "json",
    "math",
    "operator",
    "re",
    "shlex",
    "statistics",
    "string",
    "textwrap",
    "types",
    "typing",
    "xml.etree",
    "unicodedata",
    "urllib.parse",
    "weakref",
}
"""What the core may import of the standard library."""
PURE_NAMES = {
    "datetime": {"UTC", "date", "datetime", "timedelta", "tzinfo"},
    "importlib": {"import_module"},
    "io": {"BytesIO", "TextIOWrapper"},
    "statistics": {"StatisticsError", "correlation", "fmean", "median", "quantiles"},
}
"""Of some modules only these names, because others read the clock or draw random numbers."""
CLOCK_READERS = {
    "date": {"today", "fromtimestamp"},
    "datetime": {"fromtimestamp", "now", "today", "utcfromtimestamp", "utcnow"},
}
WRITTEN_CODE = {("purewire.structuring.fast_decoder", "exec")}
"""Where code is written and run: constructors, of what stands in the classes of models."""
IMPURE_CALLS = {"__import__", "breakpoint", "eval", "exec", "input", "open", "print"}

THIRD_PARTY = {
    "attrs": r".*",
    "msgspec": r"purewire/structuring/fast_decoder\.py",
    "cattrs": r"purewire/structuring/validator\.py",
    "ada_url": r"(devicestatus/validation/music_urls|sitedata/reading/checking)\.py",
    "hypothesis": r"\w+/testing/\w+\.py",
    "pytest": r"\w+/testing/\w+\.py",
    "Xlib": r"status_agent/capture/x11\.py",
    "httpx2": (
        r"(devicestatus/adapters/upload_client|purewire/adapters/request_urls"
        r"|sitedata/adapters/fetch)\.py"
    ),
    "jsonschema": r"purewire/conformance/json_schema\.py",
    "referencing": r"purewire/conformance/json_schema\.py",
    "jeepney": r"status_agent/capture/dbus\.py",
    "platformdirs": r"status_agent/(cli|settings)\.py",
    "psutil": r"status_agent/capture/machine\.py",
    "redis": r"devicestatus/adapters/redis\.py",
    "rich": r"purewire/adapters/commands/terminal\.py",
    "uvicorn": r"purewire/adapters/commands/serving\.py",
}
"""Third-party package to the modules that may import it; no module imports another one."""
OPTIONAL = {
    "django",
    "fastapi",
    "flask",
    "granian",
    "gunicorn",
    "httpx2",
    "hypothesis",
    "jeepney",
    "jsonschema",
    "pandas",
    "platformdirs",
    "polars",
    "psutil",
    "pytest",
    "redis",
    "referencing",
    "rich",
    "schemathesis",
    "starlette",
    "uvicorn",
    "waitress",
    "Xlib",
}
"""Packages that users of the core need not install, or should not wait for."""

LAYERS = {
    "purewire": (
        "cache days instants primitives",
        "html_table http",
        "findings",
        "exchange json svg",
        "endpoints structuring",
        "conformance pages",
    ),
    "devicestatus": (
        "errors limits",
        "models",
        "responses",
        "validation",
        "agent icons settings",
        "engine",
        "columns player rendering",
        "http",
        "conformance schemas",
    ),
    "healthapi": (
        "catalog_keys errors limits zone_names",
        "redaction_names",
        "redaction",
        "rows",
        "account derived omissions",
        "charts views",
        "profile",
        "http",
        "conformance schemas",
    ),
    "health_import": (
        "texts",
        "tables",
        "file_names gaps",
        "values",
        "readers",
        "clock",
        "forming",
        "report",
    ),
    "sitedata": (
        "errors limits",
        "reading",
        "building client views",
        "serving",
        "conformance schemas",
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
        kinds = {"adapters", "testing"} & set(self.parts)
        if self.package in {SCRIPTS, "status_agent"} or self.name in OUTER:
            return "adapters"
        return next(iter(kinds), "core")

    @cached_property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

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
        """The names in `__all__`; None where there is none."""
        node = self.defined.get("__all__")
        if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
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

    def test_imports_inside_functions_are_seen(self) -> None:
        lazily = ast.parse("def f():\n    if x:\n        import os.path\n")
        module = Module(SOURCES / "example.py")
        module.__dict__["tree"] = lazily
        assert module.imports == [Import(3, "os.path")]

    def test_every_import_of_an_own_module_can_be_followed(self) -> None:
        assert_none(
            module.at(found.line, f"there is no module {found.module}")
            for module in MODULES.values()
            for found in module.imports
            if found.module.split(".")[0] in PACKAGES and target(found) not in MODULES
        )

    def test_imports_are_absolute_and_name_what_they_take(self) -> None:
        assert_none(
            module.at(found.line, f"write out the import of {found.name or found.module}")
            for module in MODULES.values()
            for found in module.imports
            if found.module.startswith(".") or found.name == "*"
        )


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
        assert_none(
            module.at(node.lineno, f"the core does not call {node.func.id}()")
            for module in CORE
            for node in module.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in IMPURE_CALLS
            and (module.name, node.func.id) not in WRITTEN_CODE
        )

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


NAMED_CALLS = {"attrgetter", "delattr", "getattr", "hasattr", "methodcaller", "setattr"}
"""Calls that take names of attributes."""
BUILDING_CALLS = {
    "Formatter",
    "__import__",
    "compile",
    "eval",
    "exec",
    "globals",
    "import_module",
    "locals",
    "make_class",
    "new_class",
    "vars",
}
"""Calls that make code, modules, classes or name spaces of what they are given."""
COMPUTED_NAMES = {
    ("devicestatus.engine.intervals", "getattr"): "the member is a Literal of the three with lanes",
    ("devicestatus.agent.privacy", "getattr"): "the names stand in _SWITCHED",
    ("devicestatus.models", "getattr"): "the names are those of a model's fields",
    ("devicestatus.responses", "getattr"): "the names are those of a model's fields",
    ("healthapi.charts.lines", "%"): "a constant form, as many times as there are steps",
    ("healthapi.rows.mapping", "getattr"): "the names stand in ROW_OF",
    **dict.fromkeys(
        ((package, "globals") for package in sorted(PRODUCTS)),
        "the names stand in a mapping beside",
    ),
    ("devicestatus", "import_module"): "one module, when a notebook shows a value",
    ("purewire", "getattr"): "the names stand in a mapping of the package",
    ("purewire", "import_module"): "the modules stand in the same mapping",
    ("purewire.structuring.fast_decoder", "exec"): "text of the names of a model's fields alone",
    ("purewire.structuring.fast_decoder", "type"): "made of a model when it is first read",
    ("purewire.json.codec", "import_module"): "two modules, each when it is first needed",
    ("purewire.svg.labels", "%"): "arithmetic: a step of an axis by a unit of time",
    ("purewire.structuring.decoder", "import_module"): "one module, when it is first needed",
    ("purewire.structuring.to_builtins", "getattr"): "the names are those of a model's fields",
    (
        "sitedata.building.templates",
        "%",
    ): "a repository's own settings; each % of theirs is doubled",
    ("sitedata.views.calendar", "%"): "arithmetic: the number of a column by a step",
}
"""Where the core computes a name or a form, and why nothing from a body, query or key is in it."""


def computed_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield line and kind of each call whose attribute name or format string is no constant."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = node.func.id if isinstance(node.func, ast.Name) else ""
            called = node.func.attr if isinstance(node.func, ast.Attribute) else called
            if _is_computed(called, node):
                yield node.lineno, called
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            yield from [] if _is_arithmetic(node) else [(node.lineno, "%")]
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            inner = map(type, ast.walk(node.format_spec))
            yield from [(node.lineno, "format")] if ast.FormattedValue in inner else []


def _is_computed(called: str, node: ast.Call) -> bool:
    if called in NAMED_CALLS:
        names = node.args if called in {"attrgetter", "methodcaller"} else node.args[1:2]
        return not names or not all(map(_is_constant, names))
    if called in {"format", "format_map", "vformat"}:
        forms = node.args[1:2] if isinstance(node.func, ast.Name) else [_owner(node.func)]
        return not all(map(_is_constant, forms))
    if called == "type":
        return len(node.args) > 1
    return called in BUILDING_CALLS and ast.unparse(node.func) != "re.compile"


def _owner(called: ast.expr) -> ast.expr:
    return called.value if isinstance(called, ast.Attribute) else called


def _is_constant(node: ast.expr) -> bool:
    """Check whether a value is written out where it is used, or in a constant of its module."""
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def _is_arithmetic(node: ast.BinOp) -> bool:
    """Check whether a `%` divides, or has a constant form."""
    return _is_constant(node.left) or _is_number(node.left) or _is_number(node.right)


def _is_number(node: ast.expr) -> bool:
    """Check whether a value can be a number only, or is a constant."""
    arithmetic = (ast.Sub, ast.FloorDiv, ast.Div)
    return (
        isinstance(node, ast.UnaryOp)
        or (isinstance(node, ast.BinOp) and isinstance(node.op, arithmetic))
        or (isinstance(node, ast.BinOp) and _is_number(node.left) and _is_number(node.right))
        or (isinstance(node, ast.Constant) and isinstance(node.value, int | float))
        or (isinstance(node, ast.Name) and node.id.isupper())
        or (isinstance(node, ast.Call) and ast.unparse(node.func) == "len")
    )


class TestNamesFromInput:
    """No name of an attribute, no form and no code is made of what somebody sent."""

    def test_the_core_computes_names_in_known_places_only(self) -> None:
        """An entry of COMPUTED_NAMES without such a place is out of date."""
        places = {
            (module.name, kind): module.at(line, f"{kind} of what is no constant")
            for module in CORE
            for line, kind in computed_names(module.tree)
        }
        assert_none(at for place, at in places.items() if place not in COMPUTED_NAMES)
        assert COMPUTED_NAMES.keys() - places.keys() == set()

    def test_nothing_evaluates_text_or_loads_objects(self) -> None:
        """In all of the packages, adapters and testing included."""
        assert_none(
            module.at(node.lineno, f"nothing calls {node.func.id}()")
            for module in MODULES.values()
            for node in module.nodes
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"__import__", "compile", "eval", "exec"}
            and (module.name, node.func.id) not in WRITTEN_CODE
        )
        assert_none(
            module.at(found.line, f"nothing imports {found.module}")
            for module in MODULES.values()
            for found in module.imports
            if found.module.split(".")[0]
            in {"code", "codeop", "dill", "marshal", "pickle", "runpy", "shelve", "yaml"}
        )

    @pytest.mark.parametrize(
        ("text", "kind"),
        [
            ("getattr(a, b)", "getattr"),
            ("operator.attrgetter('x', b)", "attrgetter"),
            ("b.format(a)", "format"),
            ("format(a, b)", "format"),
            ("f'{a:{b}}'", "format"),
            ("b % a", "%"),
            ("eval(b)", "eval"),
            ("import_module(b)", "import_module"),
            ("type(b, (), {})", "type"),
            ("vars(a)[b]", "vars"),
        ],
    )
    def test_such_a_call_would_be_found(self, text: str, kind: str) -> None:
        assert [found for _, found in computed_names(ast.parse(text))] == [kind]

    @pytest.mark.parametrize(
        "text",
        [
            "getattr(a, 'x', None)",
            "getattr(a, _NAME)",
            "'{0.x}'.format(a)",
            "f'{a:>8}'",
            "'%s' % a",
            "a % 2",
            "re.compile(b)",
        ],
    )
    def test_what_is_written_out_passes(self, text: str) -> None:
        assert list(computed_names(ast.parse(text))) == []


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
        allowed = {"purewire.adapters.contract", "purewire.adapters.conformance"}
        assert_none(
            module.at(found.line, f"testing does not import {other.name}")
            for module in NOT_CORE
            for found, other in own_imports(module)
            if module.kind == "testing" and other.kind == "adapters" and other.name not in allowed
        )

    def test_the_shared_package_imports_no_product(self) -> None:
        assert_none(
            module.at(found.line, f"{SHARED} does not import {other.package}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if module.package == SHARED and other.package != SHARED
        )

    def test_products_do_not_import_each_other(self) -> None:
        """A product's adapters, too, import only its own package and the shared one."""
        assert_none(
            module.at(found.line, f"{module.package} does not import {other.package}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if module.package in PRODUCTS and other.package not in {module.package, SHARED}
        )

    def test_a_program_imports_its_library_only_and_nothing_imports_a_program(self) -> None:
        assert_none(
            module.at(found.line, f"{module.package} does not import {other.package}")
            for module in MODULES.values()
            for found, other in own_imports(module)
            if (
                module.package in PROGRAMS
                and other.package not in {module.package, PROGRAMS[module.package], SHARED}
            )
            or (module.package != other.package and other.package in PROGRAMS)
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
            and node.attr not in modules[node.value.id].public
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
        graph = {
            module.name: {other.name for _, other in own_imports(module)}
            for module in MODULES.values()
        }
        assert_none(" -> ".join(cycle) for cycle in cycles(graph))

    def test_there_are_no_cycles_of_folders(self) -> None:
        """Checked at every depth: a package, its folders, and the folders in these."""
        graph: dict[str, set[str]] = {}
        for module in MODULES.values():
            for _, other in own_imports(module):
                here, there = folders_apart(module, other)
                graph.setdefault(here, set())
                graph.setdefault(there, set())
                if here != there:
                    graph[here].add(there)
        assert_none(" -> ".join(cycle) for cycle in cycles(graph))

    def test_a_cycle_would_be_found(self) -> None:
        graph = {"a": {"b", "d"}, "b": {"c"}, "c": {"b"}, "d": set(), "e": {"e"}}
        assert sorted(cycles(graph)) == [["b", "c", "b"], ["e", "e"]]


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


def cycles(graph: dict[str, set[str]]) -> Iterator[list[str]]:
    """Yield one cycle for each module from which the walk comes back to where it was."""
    done: set[str] = set()

    def walk(name: str, way: list[str]) -> Iterator[list[str]]:
        if name in way:
            yield [*way[way.index(name) :], name]
        elif name not in done:
            for other in sorted(graph[name]):
                yield from walk(other, [*way, name])
            done.add(name)

    for name in sorted(graph):
        yield from walk(name, [])


def order(name: str) -> tuple[int, str]:
    """Sort constants before classes before functions, as the linter does."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


class TestPublicNames:
    """What a module shows: a docstring that says what it knows, and its public names."""

    def test_every_module_starts_with_a_docstring(self) -> None:
        assert_none(
            module.at(1, "say what the module knows")
            for module in MODULES.values()
            if not ast.get_docstring(module.tree)
        )

    def test_listed_names_are_there(self) -> None:
        for module in MODULES.values():
            bound = module.defined.keys() | {found.name for found in module.imports}
            assert set(module.exported or ()) - bound == set(), module.file

    def test_listed_names_are_public_sorted_and_stand_once(self) -> None:
        for module in MODULES.values():
            names = module.exported or []
            assert names == sorted(set(names), key=order), module.file
            assert not any(name.startswith("_") for name in names), module.file


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
        """Conformance checks need the extra `conformance`."""
        names = {module.name for module in CORE if ".conformance" not in module.name}
        loaded = imported_by(*sorted(names))
        assert loaded & OPTIONAL == set()
        assert loaded & {module.name for module in NOT_CORE} == set()
        assert names <= loaded

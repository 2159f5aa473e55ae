"""Mutate a module, one fault at a time, and count the faults that its tests detect.

It needs cosmic-ray, whose operators create most of the mutants::

    python tools/mutate.py devicestatus.validation.cross_field devicestatus.engine.deadlines

A mutation is made in memory only, in a process that ends with the tests: no source changes.  The
tests are those of the module and, if these do not fail, the property tests that `PROPERTIES` names.
A fault is detected if they fail, stop early or reach the time limit.

The score excludes mutants that cannot be imported, because any test detects them, and equivalent
mutants: `equivalent_faults.toml` lists them, each with its reason.  `|`, which joins types, is not
mutated, nor `==` to `is` or the reverse, which the linter checks.

To cosmic-ray's operators (comparisons, arithmetic, and/or/not, numbers, loops, decorators) three
are added: a text is changed, a handler lets its exception pass, a statement is removed.
"""

import argparse
import ast
import difflib
import importlib
import importlib.util
import os
import resource
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final, Literal, NamedTuple

import pytest
from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator, operator_names
from hypothesis import Phase, settings

ROOT: Final = Path(__file__).resolve().parents[1]
EQUIVALENT: Final = Path(__file__).with_name("equivalent_faults.toml")

PROPERTIES: Final[dict[str, tuple[str, ...]]] = {
    "devicestatus.engine.deadlines": ("projection",),
    "devicestatus.player.player": ("player",),
    "devicestatus.engine.projection": ("projection",),
    "devicestatus.engine.record": ("record",),
    "devicestatus.engine.state": ("projection",),
    "devicestatus.player.timeline_response": ("player",),
}
"""Property tests of modules, in addition to their own tests."""

PRELOADED: Final = (
    "ada_url",
    "cattrs",
    "hypothesis.stateful",
    "msgspec",
    "sybil",
)
"""Modules that the tests need and no mutation changes; imported once for all trials."""

OPTIONS: Final = (
    *("-x", "-q", "--no-header", "--no-summary", "--tb=no"),
    *("-p", "_hypothesis_pytestplugin", "-p", "no:cacheprovider", "-p", "no:watching"),
)
NOT_USED: Final = {
    "core/ExceptionReplacer",  # lacks dotted names; see `_passing_exceptions`
    *(
        f"core/ReplaceComparisonOperator_{change}"  # checked by the linter
        for change in ("Is_Eq", "IsNot_NotEq", "Eq_Is", "NotEq_IsNot")
    ),
}

MEMORY_BYTES: Final = 3 << 30  # limit of a trial
TIMES_SLOWER: Final = 5
GRACE_SECONDS: Final = 10

UNIMPORTABLE: Final = 99

_DOING: Final = (ast.Assign, ast.AugAssign, ast.Raise, ast.Expr)

Verdict = Literal["detected", "out of time", "not importable", "survived", "equivalent"]


class Fault(NamedTuple):
    """The mutated text of a module, and a description of the mutation."""

    kind: str
    text: str


class _Planted(SourceFileLoader):
    """Loads a module from a given text."""

    def __init__(self, name: str, path: str, text: str) -> None:
        super().__init__(name, path)
        self._text = text

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._text, self.get_filename(fullname), "exec", dont_inherit=True)


class _Planter(MetaPathFinder):
    """Finds one module with a given text."""

    def __init__(self, name: str, path: Path, text: str) -> None:
        self._name, self._loader = name, _Planted(name, str(path), text)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002 - the protocol of finders
        target: ModuleType | None = None,  # noqa: ARG002 - the same
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        return importlib.util.spec_from_loader(fullname, self._loader)


def faults(text: str) -> Iterator[Fault]:
    """Yield every mutant whose code differs from the original and from earlier mutants."""
    seen = {_meaning(text)}
    own = (*_other_texts(text), *_passing_exceptions(text), *_left_out(text))
    for fault in (*_by_operators(text), *own):
        meaning = _meaning(fault.text)
        if meaning not in seen:
            seen.add(meaning)
            yield fault


def _meaning(text: str) -> str:
    try:
        return ast.dump(ast.parse(text))
    except SyntaxError:  # no mutant: it cannot be imported
        return ""


def _by_operators(text: str) -> Iterator[Fault]:
    nodes = list(ast_nodes(get_ast(text)))
    for name in sorted({*operator_names()} - NOT_USED):
        kind = get_operator(name)
        # some operators need the name to replace
        if kind.arguments() or name.startswith("core/ReplaceBinaryOperator_BitOr_"):
            continue
        operator = kind()
        places = sum(len([*operator.mutation_positions(node)]) for node in nodes)
        for occurrence in range(places):
            yield Fault(name.removeprefix("core/"), mutate_code(text, operator, occurrence))


def _other_texts(text: str) -> Iterator[Fault]:
    for node in ast.walk(_without_types(ast.parse(text))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield Fault("AnotherText", _replaced(text, node, repr(node.value + "~")))


class _WithoutTypes(ast.NodeTransformer):
    """Removes docstrings, annotations, exports and names of type variables."""

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        return None if _is_docstring(node) else self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        return None if node.value is None else self.visit(node.value)

    def visit_arg(self, node: ast.arg) -> None:
        """Remove the annotation of a parameter."""

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST | None:
        of = node.value
        return None if isinstance(of, ast.Name) and of.id == "Literal" else self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST | None:
        of = node.func
        return None if isinstance(of, ast.Name) and of.id == "TypeVar" else self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        first = node.targets[0]
        exports = isinstance(first, ast.Name) and first.id == "__all__"
        return None if exports else self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """Remove nodes without a position in the text."""


def _without_types(tree: ast.Module) -> ast.Module:
    _WithoutTypes().visit(tree)
    return tree


def _passing_exceptions(text: str) -> Iterator[Fault]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler) and node.type is not None:
            for caught in node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]:
                yield Fault("PassingException", _replaced(text, caught, "ZeroDivisionError"))


def _left_out(text: str) -> Iterator[Fault]:
    functions = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef))
    for node in (inner for function in functions for inner in ast.walk(function)):
        if isinstance(node, ast.Return) and node.value is not None:
            yield Fault("LeftOut", _replaced(text, node, "return None"))
        elif isinstance(node, _DOING) and not _is_docstring(node):
            yield Fault("LeftOut", _replaced(text, node, "pass"))


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _replaced(text: str, node: ast.expr | ast.stmt, by: str) -> str:
    lines = text.encode().splitlines(keepends=True)
    end_line, end = node.end_lineno or node.lineno, node.end_col_offset or 0
    before = b"".join(lines[: node.lineno - 1]) + lines[node.lineno - 1][: node.col_offset]
    after = lines[end_line - 1][end:] + b"".join(lines[end_line:])
    return (before + by.encode() + after).decode()


def tests_of(module: str) -> list[str]:
    """Return the test files of a module."""
    package, *_, name = module.split(".")
    own = f"tests/{package}/test_{name}.py"
    return [
        own,
        *(f"tests/property/test_{each}_properties.py" for each in PROPERTIES.get(module, ())),
    ]


class _FirstFailure:
    """Stops at the first failing example, without shrinking."""

    @pytest.hookimpl(trylast=True)
    def pytest_configure(self) -> None:
        phases = {*settings().phases} - {Phase.shrink, Phase.explain}
        settings.register_profile("first failure", settings(phases=phases))
        settings.load_profile("first failure")


def trial(module: str, path: Path, text: str, limit: int) -> Verdict:
    """Run the tests on a text of the module, each file at most `limit` seconds, 0 for no limit."""
    verdicts = (_tried(module, path, text, limit, tests) for tests in tests_of(module))
    return next((verdict for verdict in verdicts if verdict != "survived"), "survived")


def _tried(module: str, path: Path, text: str, limit: int, tests: str) -> Verdict:
    child = os.fork()
    if child == 0:
        _try(module, path, text, limit, tests)
    return _verdict(os.waitpid(child, 0)[1])


def _verdict(status: int) -> Verdict:
    if os.WIFSIGNALED(status):
        return "out of time" if os.WTERMSIG(status) == signal.SIGALRM else "detected"
    match os.WEXITSTATUS(status):
        case pytest.ExitCode.OK:
            return "survived"
        case code if code == UNIMPORTABLE:
            return "not importable"
        case _:
            return "detected"


def _try(module: str, path: Path, text: str, limit: int, tests: str) -> None:
    """Run a file of tests in this process, which ends with them, or when the time is over."""
    code: int = UNIMPORTABLE
    try:
        signal.alarm(limit)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)
        sys.meta_path.insert(0, _Planter(module, path, text))
        importlib.import_module(module)
        code = pytest.ExitCode.INTERNAL_ERROR
        code = pytest.main([*OPTIONS, tests], [_FirstFailure()])
    finally:
        os._exit(code)


class Change(NamedTuple):
    """A change: the number of the line, and its text before and after."""

    line: int
    before: str
    after: str


def change(text: str, fault: Fault) -> Change:
    """Return the change of a mutation; several lines are joined."""
    lines = [*difflib.unified_diff(text.splitlines(), fault.text.splitlines(), n=0, lineterm="")]
    place = lines[2].split()[1].removeprefix("-").split(",")[0]
    before, after = (
        " ".join(line[1:].strip() for line in lines[3:] if line[0] == sign).strip() for sign in "-+"
    )
    return Change(int(place), before, after)


def equivalents(module: str) -> dict[str, str]:
    """Return the equivalent mutations of a module, with reasons."""
    known: dict[str, dict[str, str]] = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))
    return known.get(module, {})


def measure(module: str) -> bool:
    """Test all mutants of a module, print score and survivors; return whether none survived."""
    path = ROOT.joinpath("src", *module.split(".")).with_suffix(".py")
    text = path.read_text(encoding="utf-8")
    began = time.monotonic()
    _insist_on_passing(module, path, text)
    limit = round((time.monotonic() - began) * TIMES_SLOWER) + GRACE_SECONDS
    known = equivalents(module)
    tally: Counter[Verdict] = Counter()
    for fault in faults(text):
        verdict = trial(module, path, fault.text, limit)
        if verdict == "survived":
            line, before, after = change(text, fault)
            if f"{before} -> {after}" in known:
                verdict = "equivalent"
            else:
                print(f"  {module}:{line} {fault.kind}\n    - {before}\n    + {after}", flush=True)
        tally[verdict] += 1
    _insist_on_passing(module, path, text)  # otherwise the score is meaningless
    print(f"{module}: {score(tally)}", flush=True)
    return not tally["survived"]


def _insist_on_passing(module: str, path: Path, text: str) -> None:
    if trial(module, path, text, 0) != "survived":
        raise SystemExit(f"{module}: its tests fail without any fault")


def score(tally: Counter[Verdict]) -> str:
    """Format a score; mutants that cannot be imported are not counted."""
    detected = tally["detected"] + tally["out of time"]
    counted = detected + tally["survived"]
    return (
        f"{detected} of {counted} faults detected ({detected / counted:.1%}), "
        f"{tally['out of time']} of them by the time limit; besides, "
        f"{tally['equivalent']} equivalent and {tally['not importable']} not importable"
    )


def main() -> int:
    """Measure the modules of the command line."""
    parser = argparse.ArgumentParser(description="Plant faults in modules, count those detected.")
    parser.add_argument(
        "modules", nargs="+", metavar="MODULE", help="e.g. devicestatus.validation.cross_field"
    )
    modules: list[str] = parser.parse_args().modules
    os.chdir(ROOT)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    for name in PRELOADED:
        importlib.import_module(name)
    results = [measure(module) for module in modules]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())

"""JavaScript under Node: text in, text out; and values of expressions."""

import json
import subprocess
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from support.servers.services import need


def run_node(*arguments: str | Path | Traversable, stdin: str = "") -> str:
    """Return what Node writes; it must succeed."""
    done = subprocess.run(
        [need("node", "nodejs"), *map(str, arguments)],
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def evaluate(expression: str, given: object, *scripts: Traversable, before: str = "") -> Any:
    """Return the value of an expression over `given`.

    Args:
        expression: JavaScript; its value must be plain.
        given: a plain value.
        scripts: those of a page, which run first.
        before: statements before the scripts.

    """
    texts = "".join(script.read_text("utf-8") for script in scripts)
    program = (
        f"'use strict';{before};{texts}"
        "const given = JSON.parse(require('node:fs').readFileSync(0, 'utf8'));"
        f"process.stdout.write(JSON.stringify({expression}))"
    )
    return json.loads(run_node("-e", program, stdin=json.dumps(given)))

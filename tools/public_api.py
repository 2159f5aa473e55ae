"""Print the public API, one name a line, with signatures; `--write` updates the recorded file.

A changed line of `tests/data/public_api.txt` in a review is a change of the public API.
"""

import inspect
import sys
from collections.abc import Iterator
from enum import EnumType
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Final

import attrs

PACKAGES: Final = (
    "devicestatus",
    "devicestatus.adapters.agent_settings",
    "devicestatus.adapters.asgi",
    "devicestatus.adapters.agent",
    "devicestatus.adapters.checkpoint_file",
    "devicestatus.adapters.memory",
    "devicestatus.adapters.notebook",
    "devicestatus.adapters.redis",
    "devicestatus.adapters.sqlite",
    "devicestatus.adapters.upload_client",
    "devicestatus.adapters.wsgi",
    "devicestatus.agent.checkpoint",
    "devicestatus.agent.cleaning",
    "devicestatus.agent.delivery",
    "devicestatus.agent.privacy",
    "devicestatus.agent.recorder",
    "devicestatus.agent.uploads",
    "devicestatus.player.player",
    "devicestatus.rendering.card",
    "devicestatus.rendering.timeline",
    "devicestatus.testing.faults",
    "devicestatus.testing.stores",
    "devicestatus.testing.strategies",
    "healthapi",
    "healthapi.adapters.asgi",
    "healthapi.adapters.folder",
    "healthapi.adapters.wsgi",
    "healthapi.card",
    "purewire.adapters.clocks",
    "purewire.pages.settings",
    "purewire.adapters.pages.settings_file",
    "sitedata",
    "sitedata.adapters.asgi",
    "sitedata.adapters.git",
    "sitedata.adapters.wsgi",
)
"""The modules whose names users write."""
RECORD: Final = Path(__file__).parents[1] / "tests" / "data" / "public_api.txt"
_PLAIN: Final = (bool, int, str, type(None))


def public_api() -> str:
    """Return the public API as text: sorted lines, one a name."""
    return "".join(f"{line}\n" for name in PACKAGES for line in _module(import_module(name)))


def _module(module: ModuleType) -> Iterator[str]:
    for name in sorted(module.__all__):
        value = getattr(module, name)
        if inspect.isclass(value):
            yield from _class(f"{module.__name__}.{name}", value)
        elif inspect.isfunction(value):
            yield f"{module.__name__}.{name}{_signature(value)}"
        else:
            yield f"{module.__name__}.{name}"


def _class(path: str, model: type) -> Iterator[str]:
    yield f"class {path}{_signature(model)}"
    fields = {field.name for field in attrs.fields(model)} if attrs.has(model) else set()
    for name in sorted(vars(model)):
        value = inspect.getattr_static(model, name)
        if name.startswith("_") or name in fields:
            continue
        function = getattr(value, "__func__", value)
        yield f"{path}.{name}{_signature(function) if inspect.isfunction(function) else ''}"


def _signature(value: object) -> str:
    if isinstance(value, EnumType):
        return ""
    try:
        signature = inspect.signature(value)  # type: ignore[arg-type] # callers pass callables
    except (TypeError, ValueError):
        return ""
    parameters = [_bare(each) for each in signature.parameters.values()]
    return str(signature.replace(parameters=parameters, return_annotation=signature.empty))


def _bare(parameter: inspect.Parameter) -> inspect.Parameter:
    """Return a parameter without annotation, and with `...` for a default that is an object."""
    is_plain = parameter.default is parameter.empty or isinstance(parameter.default, _PLAIN)
    default = parameter.default if is_plain else ...
    return parameter.replace(annotation=parameter.empty, default=default)


if __name__ == "__main__":
    if "--write" in sys.argv[1:]:
        RECORD.write_text(public_api(), "utf-8")
    else:
        sys.stdout.write(public_api())

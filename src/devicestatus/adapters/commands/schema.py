"""`devicestatus schema`: print a JSON Schema, the OpenAPI document or the TypeScript types."""

from argparse import Namespace

from devicestatus.schemas.documents import schemas
from purewire.adapters.commands.schema import build_schemas, run_schema

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Print what `NAME` names."""
    return run_schema(arguments, build_schemas("devicestatus", schemas))

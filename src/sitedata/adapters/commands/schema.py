"""`sitedata schema`: print a JSON Schema, the OpenAPI document or the TypeScript types."""

from argparse import Namespace

from purewire.adapters.commands.schema import build_schemas, run_schema
from sitedata.schemas.documents import schemas

__all__ = ["run"]


def run(arguments: Namespace) -> int:
    """Print what `NAME` names."""
    return run_schema(arguments, build_schemas("sitedata", schemas))

"""`healthapi page`: write the pages of the profiles as a static site.

Invariant *own files only*: an existing file is replaced only if it is a page, a picture or data of
such a site; otherwise nothing is written.  No site is among the tables, or around them.
"""

from argparse import Namespace
from os.path import realpath
from pathlib import Path
from shlex import quote

from healthapi.cli.inputs import no_data, reading, see_check, source_of, unreadable, warn_left_out
from healthapi.errors import DataError
from healthapi.page import GENERATOR, build_site
from status_contracts.cli.arguments import command
from status_contracts.cli.exit_codes import CANNOT, OK, REFUSED, Failed
from status_contracts.cli.files import page_settings, write_files
from status_contracts.cli.terminal import echo
from status_contracts.json_text import member_at
from status_contracts.pages.page import is_of_site


def run(arguments: Namespace) -> int:
    """Write the site: data first, then the documents that name them."""
    settings = page_settings(arguments.page_settings)
    folder, source_folder = Path(arguments.output), Path(arguments.folder)
    inner, outer = (Path(realpath(path)) for path in (folder, source_folder))
    if inner.is_relative_to(outer) or outer.is_relative_to(inner):
        reason = "or its tables would be published with the site: give another folder"
        raise Failed(REFUSED, f"{folder} must be apart from {source_folder}, {reason}")
    source = source_of(arguments)
    with reading(arguments.folder):
        ids = source.ids()
    profiles = []
    for profile_id in ids:
        try:
            profiles.append(source.profile(profile_id))
        except KeyError:
            raise Failed(CANNOT, f"{source_folder / profile_id} is no longer there") from None
        except DataError as error:
            raise unreadable(profile_id, error) from None
    if not any(profile.snapshot or profile.daily for profile in profiles):
        raise Failed(REFUSED, *see_check(no_data(arguments), arguments.folder))
    write_files(folder, build_site(profiles, settings), _is_own)
    warn_left_out(profiles, arguments.folder)
    echo(f"{folder / 'index.html'}: {', '.join(ids)}")
    echo("to look at it:")
    echo(command(f"python3 -m http.server 8003 -b 127.0.0.1 -d {quote(str(folder))}"))
    return OK


def _is_own(file: bytes) -> bool:
    return is_of_site(file, GENERATOR) or member_at(file, "resource") in ("dashboard", "series")

"""`healthapi page`: write the pages of the profiles as a static site."""

from argparse import Namespace
from pathlib import Path

from healthapi.cli.inputs import no_data, reading, source_of
from healthapi.errors import DataError
from healthapi.page import build_site
from status_contracts.cli.exit_codes import OK, REFUSED, Failed
from status_contracts.cli.files import page_settings, write_files
from status_contracts.cli.terminal import echo, echo_error


def run(arguments: Namespace) -> int:
    """Write the site: data first, then the documents that name them."""
    settings = page_settings(arguments.page_settings)
    source = source_of(arguments)
    with reading(arguments.folder):
        ids = source.ids()
    profiles = []
    for profile_id in ids:
        try:
            profiles.append(source.profile(profile_id))
        except (KeyError, DataError):
            raise Failed(REFUSED, f"{profile_id} cannot be read: see healthapi check") from None
    if not any(profile.snapshot or profile.daily for profile in profiles):
        raise Failed(REFUSED, f"{no_data(arguments)}: see healthapi check {arguments.folder}")
    folder = Path(arguments.output)
    write_files(folder, build_site(profiles, settings))
    groups = [group for profile in profiles for group in profile.findings.values()]
    if any(group.rejected_rows or group.unreadable_cells for group in groups):
        echo_error(f"rows or values are left out: see healthapi check {arguments.folder}")
    echo(f"{folder / 'index.html'}: {', '.join(ids)}")
    return OK

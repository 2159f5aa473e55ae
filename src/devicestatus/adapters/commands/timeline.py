"""`devicestatus timeline`: draw the window in a file."""

from argparse import Namespace

from devicestatus import limits
from devicestatus.adapters.commands.inputs import load_record, load_settings, parse_time
from devicestatus.adapters.commands.serve import resolve_assets_folder
from devicestatus.engine.intervals import intervals, total_durations
from devicestatus.engine.state import PreparedWindowRecord
from devicestatus.icons import MANIFEST_NAME, index_icons, parse_manifest
from devicestatus.models import Window
from devicestatus.rendering.timeline import lanes
from purewire.adapters.assets import FolderAssets
from purewire.adapters.commands.exit_codes import OK, REFUSED, Failed
from purewire.adapters.commands.files import write_output
from purewire.http.conditional import UNCONDITIONAL
from purewire.http.messages import Asset


def run(arguments: Namespace) -> int:
    """Draw the window; with `--at` mark what readers see at that server time."""
    record = load_record(arguments.file, load_settings())
    if not isinstance(record, PreparedWindowRecord):
        raise Failed(REFUSED, f"{arguments.file} has a snapshot: only a window has a timeline")
    window, at = record.record.data, None
    if arguments.at is not None:
        at = parse_time("--at", arguments.at) - limits.PLAYBACK_DELAY_MS
    image = lanes(
        window,
        at=at,
        title=arguments.title,
        width=arguments.width,
        theme=arguments.theme,
        icons=_icons(window, FolderAssets(resolve_assets_folder(arguments.assets))),
    )
    write_output(arguments.output, image)
    return OK


def _icons(window: Window, assets: FolderAssets) -> dict[str, bytes]:
    """Return the icons of the apps of a window; without a valid manifest there are none."""
    manifest = _read(assets, MANIFEST_NAME)
    found = None if manifest is None else parse_manifest(manifest)
    if found is None:
        return {}
    apps = total_durations(intervals(window, "active_app", lambda app: app))
    paths = {app: index_icons(found).describe(app).icon_url for app in apps}
    images = {app: _read(assets, path.rpartition("/")[2]) for app, path in paths.items() if path}
    return {app: image for app, image in images.items() if image is not None}


def _read(assets: FolderAssets, name: str) -> bytes | None:
    found = assets.read_asset(name, UNCONDITIONAL)
    return found.body if isinstance(found, Asset) else None

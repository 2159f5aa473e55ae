"""Where the icons that ship for the demo are."""

from importlib.resources import files
from pathlib import Path

FOLDER = Path(str(files("devicestatus") / "app_icons"))

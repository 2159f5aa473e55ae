"""The arguments of `healthapi import`.

The command `healthapi` finds them by their entry point; the module that they name is imported when
it is run.
"""

from status_contracts.cli.arguments import defaults, example, option

IMPORT = (
    "Make the tables of a profile from an export",
    example("takeout.zip -o people/ada --zone Europe/Berlin"),
    option(
        "archives ARCHIVE",
        "a zip file, an unpacked folder, or export.xml; give all parts together",
        nargs="+",
    ),
    option(
        "-o --output DIR",
        "folder of the profile; existing tables are merged, its name is the profile's id",
        required=True,
    ),
    option(
        "--from VENDOR",
        "whose export it is: google (Takeout), fitbit, apple or garmin (default: google or fitbit)",
        dest="vendor",
        choices=("google", "fitbit", "apple", "garmin"),
    ),
    option(
        "--zone ZONE",
        "IANA time zone of days for which the export shows none, such as Europe/Berlin",
    ),
    defaults(module="health_import.cli"),
)

"""The subcommands of `sitedata`."""

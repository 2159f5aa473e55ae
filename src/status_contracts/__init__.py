"""The `devicestatus`, `healthapi` and `sitedata` commands: one argument parser each.

The parsers stand outside the products, so that `--help` does not wait for a product's imports.
"""

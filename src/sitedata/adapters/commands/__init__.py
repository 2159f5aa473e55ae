"""The commands of sitedata."""

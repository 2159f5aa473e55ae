"""Form the four tables of a profile from the files of a vendor's export archive."""

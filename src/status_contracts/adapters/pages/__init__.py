"""Settings, header, style and builder that the pages of the three products share."""

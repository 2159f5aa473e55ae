"""What the pages of the three products share: settings, header, style and how they are built."""

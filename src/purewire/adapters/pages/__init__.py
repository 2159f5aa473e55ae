"""Parts that the pages of the three products share: settings, header, style, and how to build them."""

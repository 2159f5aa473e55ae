"""Shared parts of the pages of the three products: settings, header, style, and the build."""

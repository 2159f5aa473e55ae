"""Badge and timeline as SVG."""

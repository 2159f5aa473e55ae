"""SVG: safe text and its width, and whole images."""

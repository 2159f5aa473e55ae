"""From the bytes of a table to typed rows, and what was wrong with them."""

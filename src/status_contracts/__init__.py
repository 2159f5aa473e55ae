"""The parts that the products share: JSON, decoding, findings, HTTP values, SVG, conformance.

Nothing here depends on a product.  Only `adapters`, `cli` and `conformance` read a clock, a socket,
a file, the environment or randomness; elsewhere time is an argument in milliseconds.  Import the
module you need.
"""

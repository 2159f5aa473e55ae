"""The commands as their scripts start them: `--help` imports none of the products.

A product's package imports its public names at once; these modules stand outside of it, so that
showing the help does not wait for them.
"""

"""Adapters of health data: the folder of profiles, the web applications, the page.

An adapter imports public names of the packages and at most one third-party library, which is an
extra of the distribution; the core imports no adapter.  Adapters are less stable than the
core.  Import the module you need; this package exports no names of its own.
"""

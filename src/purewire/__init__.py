"""The ground the three products stand on: JSON text, instants, text rules, findings, HTTP values.

Nothing here knows a domain word, and nothing outside `purewire.adapters` reads a clock, a socket,
a file, the environment or randomness: time is an argument in milliseconds, bytes come in, values
go out.  Import the module you need; this package exports no names of its own.
"""

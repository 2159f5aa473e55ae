"""The account snapshot: its public form, how it is looked into, and what it says of a person."""

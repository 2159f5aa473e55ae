"""Validation: bytes to models, or `ContractError` with its findings."""

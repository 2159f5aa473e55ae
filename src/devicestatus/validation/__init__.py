"""Bytes to a valid model, or the contract error with its findings."""

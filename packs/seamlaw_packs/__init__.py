"""Policies people use as they are, one module each."""

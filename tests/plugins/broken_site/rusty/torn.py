"""A module that cannot be used."""

WORKFLOW = int("torn")

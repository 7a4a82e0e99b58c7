"""Workflows that use what no skill uses yet, so that the laws see it."""

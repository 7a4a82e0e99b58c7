"""Workflows with features that no skill uses yet, so that the laws cover them."""

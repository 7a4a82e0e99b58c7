"""Prompts as data: Markdown files, records, slots."""

from .reader import read_prompts

__all__ = ["read_prompts"]

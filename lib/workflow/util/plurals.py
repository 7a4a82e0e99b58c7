"""Numbers with their nouns."""


def count(number: int, noun: str) -> str:
    """Return `1 step`, `2 steps`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"

"""Numbers with their nouns."""


def count(number: int, noun: str) -> str:
    """Return `1 step`, `2 steps`, `2 entries`, `2 boxes`."""
    stem, end = (noun[:-1], "ies") if noun.endswith("ry") else (noun, "es" if noun.endswith("x") else "s")
    return f"{number:,} {noun if number == 1 else stem + end}"

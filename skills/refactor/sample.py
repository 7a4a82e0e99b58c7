"""Which categories a run looks at: drawn by a seed, so that a run can be repeated."""

from random import Random

from skills.conventions.categories import category_ids


def sample(n: int, seed: int) -> tuple[str, ...]:
    """The ids of `n` categories, of all where there are fewer, sorted.

    A seed gives every id a rank of its own, so a smaller sample is part of a larger one, and a category that is added
    takes at most one place. It draws the same on every version of Python (`random`, "Notes on Reproducibility").
    """
    ranked = sorted(category_ids(), key=lambda name: Random(f"{seed} {name}").random())  # noqa: S311  # no secret
    return tuple(sorted(ranked[:n]))

"""Sample of a run's categories: drawn by a seed across the groups, so that a run can be repeated."""

from collections.abc import Mapping
from itertools import chain, zip_longest
from random import Random

from skills.conventions.categories import Group, category_ids, read_category


def sample(n: int, seed: int) -> tuple[str, ...]:
    """Return the ids of `n` categories, of all if there are fewer, sorted.

    A seed gives every group and every id a rank. The categories are taken from the groups in turn. So a smaller sample
    is part of a larger one, and a new category takes at most one place. It draws the same on every version of Python
    (`random`, "Notes on Reproducibility").
    """
    groups: dict[str, list[str]] = {}
    for name, group in groups_of().items():
        groups.setdefault(group, []).append(name)
    columns = [_ranked(seed, groups[group]) for group in _ranked(seed, groups)]
    order = [name for name in chain.from_iterable(zip_longest(*columns)) if name is not None]
    return tuple(sorted(order[:n]))


def groups_of() -> Mapping[str, str]:
    """Return the group of each category, by id."""
    return {name: read_category(name).group for name in category_ids()}


def described(n: int, seed: int) -> str:
    """Return a sample with its groups, as a block."""
    ids, groups = sample(n, seed), groups_of()
    heading = f"SAMPLE  {len(ids)} of {len(groups)} categories, seed {seed}"
    rows = {group: [name for name in ids if groups[name] == group] for group in Group}
    return "\n".join([heading, *(f"  {group}: {', '.join(names) or 'not drawn'}" for group, names in rows.items())])


def _ranked(seed: int, names: "list[str] | dict[str, list[str]]") -> list[str]:
    return sorted(names, key=lambda name: Random(f"{seed} {name}").random())  # noqa: S311  # no secret

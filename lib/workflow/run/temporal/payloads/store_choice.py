"""The store of payloads that the user has named."""

import os

from .stores import STORE, RunFolders, SharedFolder, Store, is_bucket


def store_of(name: str) -> Store:
    """Return the store with a name, as `STORE` gives it. Raises ValueError for a name of no store.

    Args:
        name: A folder by its whole path, `s3://BUCKET` or `s3://BUCKET/PREFIX`; empty for the runs' own folders.
    """
    if is_bucket(name):
        from .s3 import bucket_of  # few runs use one

        return bucket_of(name)
    if name and not os.path.isabs(name):
        raise ValueError(f"{STORE} is {name!r:.200}; name a folder by its whole path, or s3://BUCKET/PREFIX")
    return SharedFolder(name) if name else RunFolders()

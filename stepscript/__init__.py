"""The entry points of the distribution: the `stepscript` command and the pytest plugin. It imports nothing."""

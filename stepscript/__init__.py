"""The ways into the distribution: the `stepscript` command and the plugin of pytest. Nothing is imported here."""

"""A foreign package: one sound workflow, and one for each kind of fault that only a trial shows."""

"""State in PostgreSQL, for runs that are named by a URL."""

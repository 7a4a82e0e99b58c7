"""The skill that checks the claims of a document."""

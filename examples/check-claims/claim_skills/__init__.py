"""Skills that check texts."""

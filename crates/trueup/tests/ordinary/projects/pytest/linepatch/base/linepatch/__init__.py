"""Unified patches: read them, put them in, count what they do."""

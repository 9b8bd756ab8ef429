"""Address books from several sources."""

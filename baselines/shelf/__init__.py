"""The shelf: agents that come with the package, and those of shelves of the user's own."""

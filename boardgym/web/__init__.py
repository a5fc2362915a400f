"""The studio: a page in the browser to play, watch and train, on this machine alone. `boardgym studio` opens it."""

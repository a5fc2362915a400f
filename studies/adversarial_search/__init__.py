"""The ten claims of the lecture notes on adversarial search, measured: `study` says how, a file has a few claims."""

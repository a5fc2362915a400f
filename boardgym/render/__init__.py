"""Boards as text, SVG and pixels, all made from a game's own `Drawing`."""

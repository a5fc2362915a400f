"""The study of Abalearn, rerun part by part: `study` says which parts there are, each of which is one file."""

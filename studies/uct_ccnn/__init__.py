"""The study of UCT-CCNN, rerun part by part."""

"""The tests of the Pessimistic Q-learning study, for any policy: random test, clone test, base test."""

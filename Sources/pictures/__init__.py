"""The pictures of plot.py: a module for each kind, and their common parts."""

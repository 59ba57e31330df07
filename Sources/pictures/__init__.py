"""The pictures that plot.py draws, a module for each kind, and what they share."""

"""What plot.py draws itself: a module for each kind of picture, and their common parts."""

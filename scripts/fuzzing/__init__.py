"""What scripts/fuzz.py does to real files, and what must hold of mindport with what comes out."""

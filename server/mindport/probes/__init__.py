"""Scripts that the user's own interpreter runs in a process of its own, with a time limit. Only here torch and
MindSpore are imported; nothing of mindport imports these files, and they import nothing of mindport.

A probe is started as a script (`registry.probe`), so its folder is where it imports its siblings from: as
top-level names, inside the packages below with relative imports. They run on Python 3.9, the oldest that MindSpore
has wheels for, and know of no package but the frameworks and NumPy."""

"""The kinds of finding, one file each; they are found by walking this package."""

"""The forms that results are written in, one file each; `discover` finds them by their names."""

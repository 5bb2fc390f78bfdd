"""The files of the user: from bytes to text and back, lines and columns, and the units that are parsed."""

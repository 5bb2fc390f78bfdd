"""What code does with torch, without opinions: names, types of values, and the files of a project together."""

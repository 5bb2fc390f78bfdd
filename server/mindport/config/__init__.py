"""What the user set: one typed model, where it is read from, and the target that follows from it."""

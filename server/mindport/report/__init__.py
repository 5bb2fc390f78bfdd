"""What was found, in the forms that people and programs read."""

"""The rows of torch uses that the sites of a unit become."""

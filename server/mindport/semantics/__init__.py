"""What Python code means, without running it: one machine for every construct, and what each domain says of its
values."""

"""What is known of each torch name, and the judgement of one use of it on one target."""

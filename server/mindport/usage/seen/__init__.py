"""What a run of the original showed: facts of their own grade, which count where nothing else tells and the code is
still the one that ran."""

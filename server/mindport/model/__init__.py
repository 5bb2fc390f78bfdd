"""Plain data that every layer speaks: places, edits, targets, verdicts, findings. Imports nothing of ours."""

"""Runs the examples of the mappings in torch and in MindSpore and compares what they compute."""

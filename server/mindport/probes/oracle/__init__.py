"""Runs pieces of code in torch and in MindSpore on the same inputs and compares what they compute."""

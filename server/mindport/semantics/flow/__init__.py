"""The forward machine: runs code over values that are known or unknown. What it does not know it says."""

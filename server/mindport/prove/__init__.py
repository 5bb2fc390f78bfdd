"""Proves mappings: has the user's interpreter run their examples in torch and in MindSpore, and turns what it saw into
evidence. Nothing here imports either framework; `mindport/probes/oracle` does, in processes of its own."""

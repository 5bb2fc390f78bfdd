"""Reads from an installed MindSpore which operators have a bprop, what the bprops emit, and measures second-order
gradients."""

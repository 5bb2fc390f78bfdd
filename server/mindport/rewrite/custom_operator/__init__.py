"""Custom operators of MindSpore that call a kernel of torch."""

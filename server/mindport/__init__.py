"""mindport takes PyTorch code to MindSpore: findings, hover cards and quick fixes from one core."""

__version__ = "0.1.0"

__all__ = ["size", "both"]
size = 2
both = "b"
kept = "not exported"

__all__ = ["public", "_private"]

public = "theirs"
hidden = "theirs"
_private = "underscore"

"""Without __all__ a star import brings every name without a leading underscore, imported ones too."""

_private = "mine"
later = "mine"
from parts import *

answer = (public, _private, later, pi > 3, made_by_loop)
public = "changed"
import parts

answer_theirs = parts.read()

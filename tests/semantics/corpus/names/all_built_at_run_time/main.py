"""__all__ is added to from submodules, which star imports then follow through two packages."""

from kit import *

names = ("linear", "conv", "secret", "shared")
answer = (linear(2), conv(2), sorted(n for n in names if n in globals()))
import kit

answer_all = kit.__all__
answer_shared = (kit.shared, kit.layers.shared)

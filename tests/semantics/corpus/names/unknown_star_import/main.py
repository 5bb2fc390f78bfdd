"""Star imports under an unknown condition: a name may come from either module or keep its own value."""

# given: n in (0, 1)
size = "own"
kept = "own"
if n:
    from one import *
else:
    from two import *
answer_size = size
answer_kept = kept
answer_both = both
import two

answer_two = two.size

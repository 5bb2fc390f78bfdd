"""A walrus binds in the surrounding scope, even in a condition that is false."""

if (size := len("abc")) > 5:
    kind = "long"
elif (half := size // 2) == 1:
    kind = "half"
else:
    kind = "short"
answer = (size, half, kind)
answer_short = [(y := 3), y**2, (y := y + 1), y]

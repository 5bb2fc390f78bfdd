"""A chain of elif of which an unknown one runs; what all of them set alike is known."""
# given: mode in ("a", "b", "zzz")

if mode == "a":
    width, depth = 8, 1
elif mode == "b":
    width, depth = 8, 2
else:
    width, depth = 8, 3
    extra = "else"
answer_width = width
answer_depth = depth
answer_sum = width + (depth * 0)

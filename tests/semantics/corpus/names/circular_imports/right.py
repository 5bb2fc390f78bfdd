import left

early = "right early"
seen = (left.early, hasattr(left, "end"))
end = "right end"


def late():
    return left.end

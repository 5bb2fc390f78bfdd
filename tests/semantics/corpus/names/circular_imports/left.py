early = "left early"
import right

seen = (right.early, hasattr(right, "end"))
end = "left end"


def late():
    return right.end

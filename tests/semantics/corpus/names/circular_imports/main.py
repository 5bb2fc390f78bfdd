"""Two modules import each other; each sees of the other what had been made by then."""

import left
import right

answer = (left.seen, right.seen, left.late(), right.late())

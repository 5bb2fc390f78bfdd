"""An operation on an unknown value may raise, so either the try or the except went on."""
# given: n in (0, 1, "text")

stage = "before"
try:
    result = 10 / n
    stage = "computed"
except (ZeroDivisionError, TypeError):
    result = None
    stage = "failed"
finally:
    done = True
answer_done = done
answer_stage = stage
answer_result = result

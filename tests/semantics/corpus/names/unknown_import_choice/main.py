"""Which of two modules is imported is unknown; both have one value alike."""
# given: n in (0, 1)

if n:
    import fast as backend
else:
    import slow as backend
from common import log

answer_width = backend.WIDTH
answer_name = backend.NAME
answer_log = log
answer_count = len(log)

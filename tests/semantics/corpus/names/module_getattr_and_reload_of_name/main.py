"""A module may answer for missing names with __getattr__; names set from outside count as its own."""

import lazy
from lazy import made_up

lazy.outside = 5
answer = (made_up, lazy.other, lazy.real, lazy.outside, lazy.read())
try:
    lazy._hidden
except AttributeError as error:
    answer_error = str(error)

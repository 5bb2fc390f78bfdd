"""A known false condition hides what is unknown in it; a known true one runs in spite of an unknown rest."""
# given: n in (0, 7)

state = []
if False and n:
    state.append("never")
if True or n:
    state.append("always")
if n in ():
    state.append("not in nothing")
if not (n and 0):
    state.append("and zero")
if (n, 1) == (n, 2):
    state.append("not equal")
if len([n]) == 1:
    state.append("one item")
answer = state
answer_type = type([n]).__name__
answer_short = [] and n

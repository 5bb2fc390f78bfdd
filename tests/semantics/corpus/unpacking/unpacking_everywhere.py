"""Stars in calls, lists, tuples, sets, dicts, subscripts, returns and for loops."""


def f(*args, **kwargs):
    return *args, *kwargs


parts = [1, 2]
answer = (
    [*parts, *"ab", *range(2)],
    (*parts,),
    {*parts, 3},
    {**{"a": 1}, **{"a": 2, "b": 3}},
    f(*parts, k=1),
)
log = []
for a, *b in [(1, 2, 3), "xy", {5: 0}]:
    log.append((a, b))
for x in *parts, 9:
    log.append(x)
[c, (d, *e)] = [1, "pqr"]
(f_,) = [7]
answer_log = (log, c, d, e, f_)
try:
    a, b = [1, 2, 3]
except ValueError as error:
    answer_error = str(error)[:8]
*y, z = {"k": 1, "l": 2}.items()
answer_items = (y, z)

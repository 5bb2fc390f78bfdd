"""iter with a sentinel, slice objects, abs, round, divmod, chr, vars, id, eval with names."""

feed = [1, 2, 0, 3]
answer = (
    list(iter(lambda: feed.pop(0), 0)),
    feed,
    divmod(-7, 3),
    abs(-2.5),
    round(7.5),
    round(1.25, 1),
    pow(2, 3),
)
cut = slice(1, 6, 2)
answer_slice = ("abcdefg"[cut], cut.indices(4), cut.step)
answer_eval = (eval("a + 1", {"a": 4}), eval("[x * 2 for x in (1, 2)]"))
namespace = {}
exec("made = [i for i in range(3)]\ndef f(): return made", namespace)
answer_exec = (namespace["made"], namespace["f"]() is namespace["made"], "made" in globals())
answer_all = (all(x > 0 for x in [1, 2]), any(not x for x in [1, 2]), all([[]]), sorted("bca", reverse=True))

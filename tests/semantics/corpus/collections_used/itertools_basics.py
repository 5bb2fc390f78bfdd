"""chain, islice, product, accumulate, groupby, repeat, cycle, pairwise, starmap, zip_longest, tee."""

import itertools as it

answer = (
    list(it.chain([1], "a", *[[2]])),
    list(it.chain.from_iterable([[1], [2]])),
    list(it.islice(it.count(5, 2), 1, 4)),
)
answer_product = (
    list(it.product("ab", [1, 2])),
    len(list(it.combinations(range(4), 2))),
    list(it.permutations("ab")),
)
answer_group = [(k, list(g)) for k, g in it.groupby([1, 1, 2, 1], key=lambda v: v % 2)]
answer_more = (
    list(it.accumulate([1, 2, 3])),
    list(it.repeat("x", 2)),
    list(it.pairwise("abc")),
    list(it.starmap(pow, [(2, 3)])),
)
answer_uneven = (list(it.zip_longest([1], "ab", fillvalue=0)), list(it.takewhile(lambda v: v < 3, [1, 3, 2])))
answer_drop = (list(it.dropwhile(lambda v: v < 3, [1, 3, 2])), [v for v, _ in zip(it.cycle("ab"), range(3))])
left, right = it.tee(iter([1, 2]))
answer_tee = (next(left), list(right), list(left), list(it.compress("abc", [1, 0, 1])))

"""heapq and bisect keep order; string and itertools helpers as they are used in small programs."""

import bisect
import heapq
import itertools
import string

heap = [5, 1, 4]
heapq.heapify(heap)
heapq.heappush(heap, 2)
taken = [heapq.heappop(heap) for _ in range(3)]
answer = (
    taken,
    heap,
    heapq.nlargest(2, [3, 9, 5]),
    heapq.nsmallest(1, ["b", "a"]),
    list(heapq.merge([1, 3], [2])),
)
scores = [10, 20, 20, 30]
bisect.insort(scores, 25)
answer_bisect = (scores, bisect.bisect_left(scores, 20), bisect.bisect(scores, 20))
answer_string = (
    string.ascii_lowercase[:3],
    string.digits[-1],
    string.Template("$a-${b}").substitute(a=1, b="x"),
)
counter = itertools.count()
ids = {name: next(counter) for name in "abab"}
answer_ids = (ids, next(counter))
answer_groups = {
    k: [w for w, _ in g]
    for k, g in itertools.groupby(
        sorted([("b", 1), ("a", 0), ("c", 1)], key=lambda p: p[1]), key=lambda p: p[1]
    )
}

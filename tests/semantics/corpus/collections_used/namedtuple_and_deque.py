"""namedtuple with defaults and _make; deque with maxlen, rotation and both ends."""

from collections import ChainMap, deque, namedtuple

Conv = namedtuple("Conv", "width kernel stride", defaults=(3, 1))
conv = Conv(16)
w, *rest = conv
answer = (
    tuple(conv),
    conv.stride,
    w,
    rest,
    Conv._make([1, 2, 3]) == (1, 2, 3),
    conv._replace(kernel=5)._asdict(),
    conv[-1],
)
d = deque([1, 2, 3], maxlen=3)
d.append(4)
d.appendleft(0)
d.rotate(1)
d.extendleft("ab")
answer_deque = (list(d), d.pop(), d.popleft(), len(d), d[0], list(deque("abc")))
chain = ChainMap({"a": 1}, {"a": 2, "b": 3})
chain["b"] = 4
answer_chain = (chain["a"], chain["b"], chain.maps, sorted(chain), dict(chain.parents))

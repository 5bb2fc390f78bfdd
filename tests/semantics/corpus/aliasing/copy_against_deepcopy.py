"""A shallow copy shares what is inside; a deep copy keeps the sharing of its own inside."""

from copy import copy, deepcopy

inner = [1]
outer = [inner, inner, {"k": inner}]
shallow, deep = copy(outer), deepcopy(outer)
inner.append(2)
deep[0].append(3)
answer = (outer, shallow, deep)
answer_same = (shallow[0] is inner, deep[0] is deep[1] is deep[2]["k"], deep[0] is inner)
loop = [1]
loop.append(loop)
twin = deepcopy(loop)
answer_loop = (twin[1] is twin, twin is loop, deepcopy((1, 2)) == (1, 2))


class Own:
    def __init__(self):
        self.values = [1]

    def __deepcopy__(self, memo):
        return "own copy"


answer_own = (deepcopy([Own()]), copy(Own()).values)

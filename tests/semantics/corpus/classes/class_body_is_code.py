"""A class body runs like any block: loops, conditions, try, del, calls, and names that are left over."""

import sys


class Net:
    sizes = []
    for size in (1, 2, 3):
        sizes.append(size * 2)
        if size == 2:
            break
    try:
        value = sizes[10]
    except IndexError:
        value = "default"
    if sys.version_info[0] >= 3:

        def method(self):
            return "three"
    else:
        method = None
    locals_seen = sorted(name for name in locals() if not name.startswith("_"))
    del sizes[0]
    global made_global
    made_global = size

    def helper(x):
        return x * 10

    computed = helper(5)
    del helper


answer = (Net.sizes, Net.size, Net.value, Net().method(), Net.computed, hasattr(Net, "helper"))
answer_more = (Net.locals_seen, made_global, hasattr(Net, "made_global"))

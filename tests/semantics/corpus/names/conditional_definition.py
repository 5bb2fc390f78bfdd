"""A function or class is defined in one of two branches, or twice; the last definition that ran is used."""

import sys

if sys.version_info >= (3, 8):

    def build():
        return "new"
else:

    def build():
        return "old"


first = build


def build():
    return "redefined"


class Net:
    size = 1


old = Net()


class Net:
    size = 2


answer = (first(), build(), old.size, Net().size, isinstance(old, Net))

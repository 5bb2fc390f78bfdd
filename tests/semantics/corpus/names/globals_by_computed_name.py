"""Names made, read and deleted through globals() are ordinary global names."""

for i, word in enumerate(("one", "two")):
    globals()["made_" + word] = i + 1
answer = made_one + made_two


def read(name):
    return globals().get(name, "missing")


globals().pop("made_one")
answer_read = (read("made_one"), read("made_two"), "read" in globals(), read("i"))
globals().update(fresh=[1])
answer_fresh = fresh


def local_names(a, b=2):
    c = a
    return sorted(locals())


answer_locals = local_names(1)

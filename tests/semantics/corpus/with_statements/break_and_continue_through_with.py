"""break and continue leave a with through its __exit__ without an exception."""


class Note:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self.name

    def __exit__(self, kind, value, traceback):
        log.append((self.name, kind))
        return True


log = []
for i in range(4):
    with Note(i) as name:
        if name == 0:
            continue
        if name == 2:
            break
        log.append("body")
else:
    log.append("never")


def first(values):
    for value in values:
        with Note("return"):
            return value
    return "none"


answer = (log, first([7, 8]), i)

"""__getattr__ is asked only for what is missing; __setattr__ for every assignment."""


class Recorder:
    kind = "class"

    def __init__(self):
        self.a = 1

    def __getattr__(self, name):
        if name.startswith("x"):
            return name * 2
        raise AttributeError(name)

    def __setattr__(self, name, value):
        log.append(name)
        object.__setattr__(self, name, value * 10)


log = []
r = Recorder()
r.b = 2
r.b += 1
r.__dict__["c"] = 5
answer = (r.a, r.b, r.c, r.kind, r.xy, hasattr(r, "y"), hasattr(r, "xz"), getattr(r, "y", "default"))
answer_log = log

"""Lists at class level, in defaults and in closures live as long as their owner and collect."""


class Log:
    lines = []

    def __init__(self, tags=[], *, extra=None):
        self.tags = tags
        self.extra = extra or {}
        self.lines.append(len(self.lines))

    def tag(self, name):
        self.tags.append(name)
        return self


class Child(Log):
    pass


one = Log().tag("a")
two = Child().tag("b")
three = Log([]).tag("c")
Child.lines = Child.lines + ["own"]
Log()
answer = (
    one.tags,
    three.tags,
    Log.lines,
    Child.lines,
    two.lines,
    one.tags is two.tags,
    one.extra is two.extra,
)

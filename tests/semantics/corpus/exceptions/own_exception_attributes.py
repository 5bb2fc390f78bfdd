"""Own exception classes carry attributes; str() of one uses its args unless it has __str__."""


class Problem(Exception):
    def __init__(self, code, *rest):
        super().__init__(code, *rest)
        self.code = code


class Quiet(Problem):
    def __str__(self):
        return f"quiet {self.code}"


texts = []
for make in (lambda: Problem(1), lambda: Problem(1, "two"), lambda: Quiet(3)):
    try:
        raise make()
    except Problem as problem:
        texts.append((str(problem), problem.code, problem.args))
answer = texts
answer_repr = (repr(ValueError("a")), str(KeyError("a")), str(Exception()))

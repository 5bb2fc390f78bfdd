import re


class TorchFileCheck:
    """PyTorch's FileCheck: what a text must have in this order, and must not have between."""

    def __init__(self):
        self.checks = []

    def _add(self, kind, text, count=1):
        self.checks.append((kind, text, count))
        return self

    def check(self, text):
        return self._add("check", re.escape(text))

    check_dag = check_source_highlighted = check

    def check_regex(self, text):
        return self._add("check", text)

    def check_not(self, text):
        return self._add("not", re.escape(text))

    def check_next(self, text):
        return self._add("next", re.escape(text))

    def check_same(self, text):
        return self._add("same", re.escape(text))

    def check_count(self, text, count, exactly=False):
        self._add("check", re.escape(text), count)
        return self._add("not", re.escape(text)) if exactly else self

    def run(self, text):
        text, place, barred = str(text), 0, []
        for kind, sought, count in [*self.checks, ("end", r"\Z", 1)]:
            if kind == "not":
                barred.append(sought)
                continue
            for _ in range(count):
                found = re.compile(sought).search(text, place)
                between = text[place : found.start()] if found else ""
                lines = between.count("\n")
                if not found or (kind == "next" and lines != 1) or (kind == "same" and lines):
                    raise RuntimeError(f"expected to find {sought} after character {place}")
                if any(re.search(one, between) for one in barred):
                    raise RuntimeError(f"expected not to find {barred} before {sought}")
                place, barred = found.end(), []

"""any and all stop at the first item that decides; an empty one is false and true."""

seen = []


def note(value):
    seen.append(value)
    return value


answer_any = any(note(v) for v in (0, 3, 4))
answer_all = all(note(v) for v in (1, 0, 5))
answer_seen = seen
answer_empty = (any([]), all([]))
eager = any([note(v) for v in (7, 8)])
answer_after = seen[-2:]

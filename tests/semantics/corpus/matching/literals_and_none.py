"""Literals match by equality, but None, True and False by identity."""


def f(value):
    match value:
        case None:
            return "none"
        case True:
            return "true"
        case 1:
            return "one"
        case -2 | 2.5:
            return "minus two or two and a half"
        case "ab":
            return "ab"
        case 3 + 4j:
            return "complex"
    return "no case"


answer = [f(v) for v in (None, True, 1, 1.0, False, 0, -2.0, 2.5, "ab", 3 + 4j, "a")]

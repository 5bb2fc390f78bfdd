"""An assignment expression makes a variable of its function wherever it stands, in displays and conversions, too."""

kept = braced = starred = formatted = 7


def inside():
    group = {(braced := 1), 2}
    row = [*{(starred := 3)}]
    text = f"{ {(formatted := 5)} }"
    del group
    return braced, starred, formatted, len(row), text


answer_inside = inside()[:4]
answer_outside = (braced, starred, formatted, kept)

"""assert evaluates its message only when it fails."""

evaluated = []


def message(text):
    evaluated.append(text)
    return text


assert True, message("unused")
try:
    assert [] or 0, message("used")
except AssertionError as error:
    text = error.args
pair = (False, "a tuple is true")
assert pair
answer = (text, evaluated)

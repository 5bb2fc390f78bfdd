"""An option that may be None: the usual ways of filling it in."""
# given: width in (None, 0, 16)

a = width or 64
b = 64 if width is None else width
c = width if width is not None else 64
if width is None:
    width = 64
answer_a = a
answer_b = b
answer_equal = b == c == width
answer_not_none = width is not None
options = {"width": width}
answer_get = options.get("width", 1)
answer_missing = options.get("depth", 2)

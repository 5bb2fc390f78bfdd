"""The unknown may be of any type: what isinstance then says is unknown, what both ways share is not."""
# given: size in (3, (3, 5), "3")

pair = (size, size) if isinstance(size, int) else size
answer_pair = pair
if isinstance(size, str):
    kind = "text"
elif isinstance(size, tuple):
    kind = "pair"
else:
    kind = "number"
answer_kind = kind
answer_kind_is_text = isinstance(kind, str)
answer_impossible = "never" if isinstance(kind, int) else "always"
answer_length_of_kind = len(kind)
answer_bool = bool(size) is True or bool(size) is False

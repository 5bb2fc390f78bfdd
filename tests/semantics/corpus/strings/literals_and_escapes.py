"""Raw strings, bytes, implicit joining, escapes, lines in triple quotes, and indexing."""

joined = "a" "b" f"{1 + 1}" r"\n"
block = """one
  two\
 three"""
answer = (
    joined,
    block,
    len("\N{SNOWMAN}层\x41\u5c42"),
    b"ab"[0],
    b"ab"[:1] == b"a",
    "abc"[-1],
    "abc"[::-1],
    "abc"[5:],
)
answer_bytes = (
    list("层".encode("utf-8")),
    len("层".encode()),
    b"\xe5\xb1\x82".decode(),
    bytes([65, 66]) == b"AB",
    ord("A"),
    chr(0x5C42),
)
answer_repr = (repr("it's"), str(b"x"), ascii("é"), "a" * 0, "ab" * 2, "a" in "banana", "" in "x")

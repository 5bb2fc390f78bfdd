"""Format specs in f-strings: width, sign, fill, precision, nested and debug."""

pi, n, name, width = 3.14159, -7, "层", 6
answer = [
    f"{pi:.2f}",
    f"{n:+05d}",
    f"{name:*^5}",
    f"{pi:{width}.{n + 8}f}",
    f"{n!r:>4}",
    f"{n=}",
    f"{255:#x}",
]
answer_more = [f"{1234567:,}", f"{0.256:.1%}", f"{{{n}}}", f"{name!a}", f"{True:d}", f"{1e10:g}", f"{n:b}"]
answer_nested = f"{'-'.join(f'{i:02}' for i in range(3))}"
answer_old = "%s has %03d of %.1f%%" % ("a", 5, 2.25)

"""`+=` changes a list in place, seen by all its names, but makes a new tuple."""

a = b = [1]
a += [2]
c = d = (1,)
c += (2,)
answer = (a, b, c, d)
e = f = [1]
e = e + [2]
answer_plus = (e, f)
holder = ([1], 2)
try:
    holder[0] += [5]
except TypeError:
    answer_both = holder

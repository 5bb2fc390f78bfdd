"""A name may have been deleted: reading it gives its value or an error."""
# given: n in (0, 1)

x = "there"
y = [1]
alias = y
if n:
    del x
    del y[0]
try:
    got = x
except NameError:
    got = "gone"
answer_got = got
answer_alias = alias
answer_is_text = isinstance(got, str)
x = "again"
answer_x = x

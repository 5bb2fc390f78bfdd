"""del unbinds a name, not the object; a deleted local is unbound, not global."""

x = [1]
y = x
del x
try:
    x
except NameError:
    gone = True
value = "global"


def f():
    value = "local"
    del value
    try:
        return value
    except UnboundLocalError:
        return "unbound"


a = b = c = 1
del a, (b, c)
answer = (y, gone, f(), value, [n in globals() for n in "abc"])

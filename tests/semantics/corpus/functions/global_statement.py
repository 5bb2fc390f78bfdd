"""A global statement binds module names, from nested functions too; without it the name is local."""

count = 0


def up():
    global count, created
    count += 1
    created = "by up"


def outer():
    count = 100

    def inner():
        global count
        count += 10
        return count

    return inner(), count


def local_first():
    try:
        return count
    except UnboundLocalError:
        return "unbound"
    count = 5  # makes the name local


up()
answer = (outer(), count, created, local_first())

"""A nonlocal name is shared by the closures of one call and separate between calls."""


def make():
    count = 0

    def up(by=1):
        nonlocal count
        count += by
        return count

    def read():
        return count

    return up, read


up, read = make()
other, other_read = make()
up()
up(5)
other()
answer = (read(), other_read())

from math import pi

public = "theirs"
_private = "theirs"
for made_by_loop in range(3):
    later = made_by_loop


def read():
    return public

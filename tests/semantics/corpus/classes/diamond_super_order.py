"""In a diamond, super() follows the order of the final class, so each method runs once."""


class Base:
    def __init__(self):
        log.append("Base")


class Left(Base):
    def __init__(self):
        log.append("Left")
        super().__init__()


class Right(Base):
    def __init__(self):
        log.append("Right")
        super().__init__()


class Both(Left, Right):
    def __init__(self):
        log.append("Both")
        super().__init__()


log = []
Both()
answer = log
answer_order = [c.__name__ for c in Both.__mro__]

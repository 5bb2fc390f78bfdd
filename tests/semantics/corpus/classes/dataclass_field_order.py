"""Fields of a dataclass come from the bases first; a redefined one keeps its old place."""

from dataclasses import astuple, dataclass, field, fields


@dataclass
class Base:
    width: int = 8
    depth: int = 2


@dataclass
class Child(Base):
    names: list = field(default_factory=list)
    width: int = 16
    area: int = field(init=False, default=0)

    def __post_init__(self):
        self.area = self.width * self.depth


one, two = Child(), Child(1, 5, ["a"])
one.names.append("b")
answer_order = [f.name for f in fields(Child)]
answer = (astuple(one), astuple(two), Child() == Child(), Child().names)

"""Flag arithmetic, enums with own values and methods, members are singletons, iteration skips aliases."""

from enum import Enum, Flag, auto, unique


class Permission(Flag):
    READ = auto()
    WRITE = auto()
    BOTH = READ | WRITE


@unique
class Planet(Enum):
    EARTH = (1.0, 6)
    MARS = (0.5, 3)

    def __init__(self, mass, radius):
        self.mass = mass
        self.density = mass / radius

    @classmethod
    def heaviest(cls):
        return max(cls, key=lambda p: p.mass)


combined = Permission.READ | Permission.WRITE
answer = (
    combined is Permission.BOTH,
    Permission.READ in combined,
    bool(Permission(0)),
    combined.value,
    Permission.WRITE.name,
)
answer_planet = (Planet.heaviest().name, Planet((0.5, 3)) is Planet.MARS, len(Planet), Planet.MARS.value[1])
by_member = {Planet.EARTH: "blue", Planet.MARS: "red"}
answer_dict = ([by_member[p] for p in Planet], list(Planet.__members__), isinstance(Planet.MARS, Planet))
try:
    Planet("venus")
except ValueError:
    answer_error = "no such value"

"""setattr, getattr, delattr and vars with computed names, on instances and classes."""


class Config:
    depth = 1


config = Config()
for i, name in enumerate(["a", "b", "depth"]):
    setattr(config, f"{name}_{i}", i * 10)
setattr(Config, "depth", 5)
values = [getattr(config, f"{n}_{i}") for i, n in enumerate("ab")]
delattr(config, "a_0")
config.__dict__.update(late=1)
answer = (values, config.depth, vars(config), hasattr(config, "a_0"), getattr(config, "zzz", None))
try:
    del config.depth
except AttributeError:
    answer_class_attribute = "not an instance attribute"

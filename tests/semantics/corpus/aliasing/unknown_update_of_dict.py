"""A dict is updated with another or not; keys that both set alike stay known."""
# given: n in (False, True)

config = {"width": 8, "depth": 2, "name": "net"}
override = {"width": 4 + 4, "depth": 3}
if n:
    config.update(override)
answer_width = config["width"]
answer_depth = config["depth"]
answer_name = config["name"]
answer_keys = sorted(config)
answer_override = override
popped = config.pop("depth") if n else config.pop("depth", None)
answer_popped = popped
answer_has_depth = "depth" in config
config.setdefault("depth", 9)
answer_after = config

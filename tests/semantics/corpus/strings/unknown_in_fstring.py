"""An f-string with an unknown value is unknown, but still a string; parts of others are known."""
# given: n in (1, 22)

name = f"layer{n}"
answer_name = name
answer_is_text = isinstance(name, str)
answer_join = ",".join(["a", f"{3}"])
answer_times = "ab" * (n * 0)
answer_choice = "x" if name == "layer1" else "y"

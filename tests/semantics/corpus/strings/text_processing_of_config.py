"""A small parser of key = value lines with sections, comments, numbers and lists, as people write it."""

text = """
# comment
[net]
width = 64
rate=0.1   # inline
names = a, b ,c
[empty]
[layers]
flag = true
path = x=y
"""


def convert(value):
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    if value.lower() in ("true", "false"):
        return value.lower() == "true"
    return [v.strip() for v in value.split(",")] if "," in value else value


config, section = {}, None
for number, line in enumerate(text.strip().splitlines(), 1):
    line = line.split("#", 1)[0].strip()
    if not line:
        continue
    if line[0] == "[" and line.endswith("]"):
        section = config.setdefault(line[1:-1], {})
        continue
    key, _, value = (part.strip() for part in line.partition("="))
    section[key] = convert(value)
answer = config
answer_lines = number

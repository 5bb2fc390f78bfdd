"""Text built piece by piece: padding, alignment, joins, translate, percent with a dict, format fields."""

rows = [("conv1", 64, 0.5), ("fc", 1000, 12.25)]
lines = [f"{name:<6}|{count:>5}|{share:6.1f}%" for name, count, share in rows]
answer = "\n".join(lines)
answer_percent = "%(name)s: %(count)5d %(share)e" % dict(zip(("name", "count", "share"), rows[0]))
answer_format = "{0[1]} {0[0]!r} {1.real:+} {2[k]:>3}".format(rows[1], 5, {"k": "v"})
answer_translate = "a.b-c".translate(str.maketrans({".": "_", "-": None}))
answer_numbers = (
    f"{3:>+8.3f}",
    f"{-0.0:.0f}",
    f"{12345.678:_.1f}",
    f"{0.00001234}",
    f"{1e100:.3g}",
    f"{7:08b}",
    f"{42:c}",
)
name = "layer" + str(1) + "." + "weight"
head, _, tail = name.rpartition(".")
answer_name = (head, tail, name.split(".")[0][-1], name[: -len(".weight")], int(head.lstrip("layer")))

"""Identifiers may be written in any script; they are normalised, so two spellings may be one name."""

层 = ["卷积"]
层数 = len(层)


class 网络:
    宽度 = 8

    def __init__(self, 深度=2):
        self.深度 = 深度


ﬁrst = 1
first += 1  # the ligature above is the same name
网 = 网络(深度=5)
setattr(网, "名", "甲")
answer = (层, 层数, 网.宽度 * 网.深度, 网.名, first, "first" in globals(), 网络.__name__)

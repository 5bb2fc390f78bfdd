real = "real"


def __getattr__(name):
    if name.startswith("_"):
        raise AttributeError(name)
    return "lazy " + name


def read():
    return outside  # set by the importing module

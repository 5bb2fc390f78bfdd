"""A metaclass makes the class, may add to it, and decides what calling it does."""


class Meta(type):
    def __new__(mcls, name, bases, namespace):
        namespace["fields"] = [k for k in namespace if not k.startswith("_")]
        return super().__new__(mcls, name, bases, namespace)

    def __call__(cls, *args):
        if cls.cached is None:
            cls.cached = super().__call__(*args)
        return cls.cached

    def __len__(cls):
        return len(cls.fields)


class Single(metaclass=Meta):
    cached = None
    b = 2
    a = 1

    def __init__(self, value):
        self.value = value


class Child(Single):
    z = 0


one, two = Single("first"), Single("second")
answer = (one is two, two.value, Single.fields, Child.fields, len(Single), type(Child).__name__)
answer_three = type("Dynamic", (Single,), {"q": 1}).fields

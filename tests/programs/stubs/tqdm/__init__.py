"""A progress bar that shows nothing: only what programs call on it."""


class tqdm:
    def __init__(self, iterable=None, desc=None, total=None, *args, **kwargs):
        self.iterable = iterable
        self.total = total
        self.n = 0

    def __iter__(self):
        return iter(self.iterable)

    def __len__(self):
        return len(self.iterable) if hasattr(self.iterable, "__len__") else self.total

    def __enter__(self):
        return self

    def __exit__(self, *error):
        return False

    def set_description(self, *args, **kwargs):
        pass

    set_postfix = set_postfix_str = set_description_str = refresh = close = set_description

    def update(self, n=1):
        self.n += n

    @classmethod
    def pandas(cls, *args, **kwargs):
        pass

    @staticmethod
    def write(*args, **kwargs):
        pass


def trange(*args, **kwargs):
    return tqdm(range(*args))

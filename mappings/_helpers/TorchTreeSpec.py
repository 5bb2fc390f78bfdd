import collections


class TorchTreeSpec:
    """PyTorch's TreeSpec: how nested containers are built, without what lies in them.

    `type` is the class of the container (None for a leaf), `context` what else it takes to build it again: the keys
    of a dictionary, the class of a named tuple.
    """

    registered = {}  # class -> what takes it apart, what builds it

    def __init__(self, type=None, context=None, children=()):
        self.type, self.context, self.children_specs = type, context, list(children)

    @classmethod
    def of(cls, tree, leaves, is_leaf=None):
        """The structure of `tree`, whose leaves are put at the end of `leaves`."""
        parts = None if is_leaf is not None and is_leaf(tree) else cls.taken_apart(tree)
        if parts is None:
            leaves.append(tree)
            return cls()
        type, children, context = parts
        return cls(type, context, [cls.of(child, leaves, is_leaf) for child in children])

    @classmethod
    def taken_apart(cls, tree):
        """The kind of a container, what lies in it, and its context; None for what is no container."""
        kind = type(tree)
        if issubclass(kind, tuple) and hasattr(kind, "_fields"):
            return collections.namedtuple, list(tree), kind
        if kind in cls.registered:
            children, context = cls.registered[kind][0](tree)
            return kind, list(children), context
        if kind in (tuple, list):
            return kind, list(tree), None
        if kind in (dict, collections.OrderedDict):
            return kind, list(tree.values()), list(tree)
        if kind is collections.defaultdict:
            return kind, list(tree.values()), [tree.default_factory, list(tree)]
        return (kind, list(tree), tree.maxlen) if kind is collections.deque else None

    def put_together(self, children):
        """A container of this kind with these things in it."""
        if self.type is collections.namedtuple:
            return self.context(*children)
        if self.type in self.registered:
            return self.registered[self.type][1](children, self.context)
        if self.type in (dict, collections.OrderedDict):
            return self.type(zip(self.context, children))
        if self.type is collections.defaultdict:
            return self.type(self.context[0], zip(self.context[1], children))
        return self.type(children, self.context) if self.type is collections.deque else self.type(children)

    def unflatten(self, leaves):
        """Containers of this structure with these leaves, in the order in which they were taken out."""
        leaves = list(leaves)
        if len(leaves) != self.num_leaves:
            raise ValueError(f"the structure has {self.num_leaves} leaves, and {len(leaves)} were given")
        return self.filled(iter(leaves))

    def filled(self, leaves):
        """The containers, each leaf the next one of an iterator."""
        if self.is_leaf():
            return next(leaves)
        return self.put_together([child.filled(leaves) for child in self.children_specs])

    def flatten_up_to(self, tree):
        """What stands in `tree` where this structure has its leaves, be it a container there or not."""
        if self.is_leaf():
            return [tree]
        type, children, context = self.taken_apart(tree) or (None, [], None)
        if isinstance(tree, dict) and self.type in (dict, collections.OrderedDict, collections.defaultdict):
            keys = self.context[1] if self.type is collections.defaultdict else self.context
            matches = set(keys) == set(tree)
            children = [tree[key] for key in keys] if matches else []
        else:
            loose = self.type is collections.deque
            matches = type is self.type and len(children) == len(self.children_specs)
            matches = matches and (loose or context == self.context)
        if not matches:
            raise ValueError(f"{tree!r} is not built as {self!r}")
        pairs = zip(self.children_specs, children)
        return [part for spec, child in pairs for part in spec.flatten_up_to(child)]

    @property
    def num_leaves(self):
        return 1 if self.is_leaf() else sum(child.num_leaves for child in self.children_specs)

    @property
    def num_children(self):
        return len(self.children_specs)

    def children(self):
        return list(self.children_specs)

    def is_leaf(self):
        return self.type is None

    def __eq__(self, other):
        return isinstance(other, TorchTreeSpec) and vars(self) == vars(other)

    def __repr__(self):
        if self.is_leaf():
            return "*"
        return f"TreeSpec({self.type.__name__}, {self.context}, {self.children_specs})"

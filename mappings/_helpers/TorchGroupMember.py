class TorchGroupMember:
    """PyTorch's GroupMember: the group of all processes, which is None here, and what who is in no group holds."""

    WORLD = None
    NON_GROUP_MEMBER = -100

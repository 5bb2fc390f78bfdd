class Block:
    width = 512


def build():
    return Block()

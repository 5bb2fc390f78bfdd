class Block:
    width = 16

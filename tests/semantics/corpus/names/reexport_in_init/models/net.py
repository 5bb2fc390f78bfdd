class Net:
    width = 64

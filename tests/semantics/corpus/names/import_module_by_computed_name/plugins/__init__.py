registry = []

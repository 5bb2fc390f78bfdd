counter = 0
values = ["start"]
counter += 1

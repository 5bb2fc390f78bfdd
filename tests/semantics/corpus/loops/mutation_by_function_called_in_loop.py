"""The list that is looped over is changed by a function that the body calls, through another name."""

jobs = ["a", "b"]
queue = jobs
done = []


def work(name):
    done.append(name)
    if name == "a":
        queue.insert(0, "front")
    elif name == "b":
        queue.append("c")
    if len(done) > 6:
        queue.clear()


for job in jobs:
    work(job)
answer = (done, jobs)

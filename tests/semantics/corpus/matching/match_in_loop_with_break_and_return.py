"""break, continue and return inside cases belong to the loop and function around the match."""


def run(commands):
    stack = []
    for command in commands:
        match command.split():
            case ["push", number] if number.isdigit():
                stack.append(int(number))
            case ["add"]:
                stack.append(stack.pop() + stack.pop())
            case ["skip", *_]:
                continue
            case ["stop" | "halt" as word]:
                stack.append(word)
                break
            case ["fail", code]:
                return ("failed", code)
            case [] | [""]:
                pass
            case other:
                stack.append(other)
        stack.append("|")
    else:
        stack.append("all")
    return stack


answer = (
    run(["push 1", "push 2", "", "skip x"]),
    run(["push x", "halt", "add"]),
    run(["fail 3"]),
    run(["push 5"]),
)

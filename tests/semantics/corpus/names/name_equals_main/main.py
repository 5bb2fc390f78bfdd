"""The guard is true in the program that is run and false in the modules that it imports."""

import helper

ran = False
if __name__ == "__main__":
    ran = True
    if not helper.ran:
        answer = (ran, helper.ran, helper.__name__)
answer_both = ran and not helper.ran

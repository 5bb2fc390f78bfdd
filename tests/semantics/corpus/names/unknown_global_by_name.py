"""A global is written under an unknown name; a name written afterwards is known again."""
# given: name in ("alpha", "beta", "gamma")

alpha, beta = 1, 2
values = [1, 2]
globals()[name] = 50
answer_alpha = alpha
answer_beta = beta
alpha = 7
answer_after = alpha
answer_read = globals()[name] if name != "alpha" else 50

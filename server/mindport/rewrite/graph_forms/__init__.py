"""Forms of Python that graph mode refuses, in the code of a converted network, written as forms that it takes. Both
mean the same to Python, so the code runs in PyNative mode as before."""

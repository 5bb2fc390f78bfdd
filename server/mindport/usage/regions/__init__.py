"""Where the code takes a gradient of a gradient, and which APIs lie on that link.

A small interpreter of its own follows values through the project, on demand and without opinions. It runs only where
a call that differentiates twice is written somewhere in the project; elsewhere nothing here costs anything."""

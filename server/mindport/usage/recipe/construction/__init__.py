"""Makes the modules of a project without running it: an interpreter for what constructors do, that knows numbers,
texts, sequences and layers, and answers "unknown" for everything else. Module trees and parameter counts come of it."""

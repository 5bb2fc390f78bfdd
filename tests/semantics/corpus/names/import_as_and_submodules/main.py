"""`import a.b` binds a, `import a.b as c` the submodule; importing a submodule sets it on its package."""

import package.deep.leaf as leaf
import package.other

before = hasattr(package, "third")
from package import third

answer = (
    leaf.value,
    package.other.value,
    package.deep.leaf is leaf,
    before,
    hasattr(package, "third"),
    third.value,
)
answer_names = (package.__name__, leaf.__name__, package.deep.__name__)

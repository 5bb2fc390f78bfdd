"""The typed form of one mapping file: what a person wrote about one torch concept, and the evidence behind
it.

`msgspec` validates a file against these classes and names the key path of what is wrong. docs/mappings.md
explains every key to the author of a mapping; keep the two together.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from mindport.model.target import Target

UNNUMBERED = -1  # of evidence that no mapping was looked up for
Scalar = bool | int | float | str | None
Forms = Literal["function", "method", "module", "attribute", "class", "value"]
PredicateValue = Scalar | list[Scalar | list[Scalar]]


class CatalogueNames(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The torch names a file speaks of, by form; each a name or a list of names that mean the same.

    `function` torch.cat, torch.concat; `method` torch.Tensor.view; `module` torch.nn.ReLU; `attribute`
    torch.Tensor.shape; `class` anything else that is a class (torch.optim.Adam); `value` constants, dtypes,
    modules."""

    function: str | list[str] = ()  # type: ignore[assignment]
    method: str | list[str] = ()  # type: ignore[assignment]
    module: str | list[str] = ()  # type: ignore[assignment]
    attribute: str | list[str] = ()  # type: ignore[assignment]
    class_: str | list[str] = msgspec.field(default=(), name="class")  # type: ignore[assignment]
    value: str | list[str] = ()  # type: ignore[assignment]


class Predicate(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A condition on one bound argument. Several keys must all hold. A value that is not known here makes it
    unknown.

    An argument that is not passed has the default of torch's signature, except for `passed`."""

    equals: PredicateValue | msgspec.UnsetType = msgspec.UNSET
    one_of: list[PredicateValue] | msgspec.UnsetType = msgspec.UNSET
    not_in: list[PredicateValue] | msgspec.UnsetType = msgspec.UNSET
    passed: bool | msgspec.UnsetType = msgspec.UNSET  # written in the call at all
    kind: str | list[str] | msgspec.UnsetType = msgspec.UNSET  # words of usage.Kind: tensor, int, dtype ...
    literal: bool | msgspec.UnsetType = msgspec.UNSET  # its value can be read in the source
    at_least: float | msgspec.UnsetType = msgspec.UNSET
    at_most: float | msgspec.UnsetType = msgspec.UNSET
    length: int | msgspec.UnsetType = msgspec.UNSET  # of a literal sequence
    holds_tensors: bool | msgspec.UnsetType = msgspec.UNSET  # it is, or there are in it at any depth, tensors


# `dim: 0` is short for {equals: 0}; `dim: {one_of: [0, 1]}` is a Predicate; `dim: null` is {equals: null}.
Condition = Predicate | Scalar


class ArgumentRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What becomes of one torch argument in a `call:` case."""

    to: str | None = None  # the name in MindSpore; the same name if left out
    convert: str | None = None  # one of mapping/converters.py: one_minus, negate, not, pair_to_quad ...
    values: dict[str, str] = {}  # source text -> source text: {"'constant'": "'CONSTANT'"}
    default: str | None = None  # source text written when the call leaves it out and the two defaults differ
    drop: bool = False  # has no counterpart and no effect on the result (device=, inplace=, pin_memory=)
    drop_when: list[PredicateValue] | None = None  # dropped for these values; for any other there is no fix
    any_form: bool = False  # of sizes: MindSpore takes a number, a list and a tuple alike
    by_place: bool = False  # passed by name it is written by its place: the names differ between the targets
    report: str | None = None  # has no counterpart: why that matters; a call that passes it has no fix


class Case(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One answer. The first case whose conditions hold and whose target fits is the answer."""

    verdict: Literal["same", "renamed", "equivalent", "composed", "differs", "none"]
    when: dict[str, Condition] = {}  # bound argument -> condition; `$result` for what becomes of the value
    forms: list[Forms] = []  # only for these forms of `torch:`; all if empty
    devices: list[Literal["Ascend", "GPU", "CPU"]] = []  # all if empty
    modes: list[Literal["pynative", "graph"]] = []
    since: str | None = None  # first MindSpore version, "2.3.0"
    until: str | None = None  # last one
    deprecated: str | None = None  # the MindSpore version that deprecates the target, and what to use then
    call: str | None = None  # dotted MindSpore name; arguments follow `args` and the signatures
    args: dict[str, str | ArgumentRule] = {}  # torch argument -> MindSpore name, or a rule
    add: dict[str, str] = {}  # arguments that torch does not have: name -> source text
    rewrite: str | None = None  # whole replacement with $argument holes, instead of `call`
    imports: list[str] = []  # statements that `rewrite` needs
    helper: str | None = (
        None  # a class or function of mappings/_helpers; used where nothing else can be written
    )
    # Right for all calls that come to it: so it is written, too, where nobody knows whether an earlier case holds.
    covers: bool = False
    fix: Literal["safe", "unsafe", "display"] = "display"  # the most it may be; safe needs a run that agrees
    silent: str | None = None  # what goes wrong without any message if only the name is changed
    why: str = ""  # one or two sentences for the card
    differences: list[str] = []  # further differences a reader must know; each one sentence
    # For the verdict none: the way out, and the nearest candidates, each with why it fails.
    policy: Literal["equivalent", "compose", "custom-op", "community"] | None = None
    tried: list[str] = []

    def is_for(self, target: Target) -> bool:
        """Whether the target's device and mode are among those that the case is for."""
        return (not self.devices or target.device.value in self.devices) and (
            not self.modes or target.mode.value in self.modes
        )


class Example(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A test, a piece of documentation and oracle input at once.

    `before` and `after` are statements; `torch, nn, F, optim, torchvision` are bound as usual. `observe` is the
    expression compared (default: `y`); weights of a module `m` in `before` are copied to the `m` in
    `after`."""

    before: str
    after: str
    inputs: dict[str, str] = {}  # name -> "rand(2, 3)" | "randint(0, 5, (3,))" | "randbool(2, 3)" | a literal
    observe: str = "y"
    compare: Literal["value", "structure", "effect", "none"] = (
        "value"  # structure: shape and dtype only (random results)
    )
    reason: str = ""  # for compare: none, why it cannot be run
    modern: str = ""  # what torch runs instead of `before`, where it no longer has the names in it
    case: int | None = None  # the case it is an example of, where several would do
    modes: list[Literal["pynative", "graph"]] = []  # it is run in; in all if empty


class Evidence(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a run of the oracle saw. Kept in mappings/_evidence by the content of the case; `case` is its number in the
    mapping of today."""

    oracle: str  # value-shape-dtype-grad, value-shape-dtype, structure, effect
    torch: str
    mindspore: str
    device: Literal["Ascend", "GPU", "CPU"]
    grade: Literal["run", "compiled", "documented"]
    samples: int
    mode: Literal["pynative", "graph"] = "pynative"
    max_abs: float | None = None
    agrees: bool = True
    note: str = ""
    time_ratio: float | None = (
        None  # how many times as long as torch's call it took, on `time_elements` numbers
    )
    time_elements: int | None = None
    case: int = UNNUMBERED

    @property
    def is_proof(self) -> bool:
        """Whether both frameworks were run and agreed."""
        return self.grade == "run" and self.agrees


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One file of `mappings/`: a torch concept in all its forms. `evidence` and `contents`, a word for what each case
    writes, are put in when the file is read for the index."""

    torch: CatalogueNames
    summary: str
    cases: list[Case]
    examples: list[Example] = []
    links: list[str] = []
    evidence: list[Evidence] = []
    contents: list[str] = []

"""The parts of torchsummary that this project uses."""

import torch
import torch.nn as nn

WHERE = {"torchsummary": "summary", "torchsummary.torchsummary": "summary"}

RULE = "-" * 64
DOUBLE_RULE = "=" * 64


def summary(model, input_size, batch_size=-1, device="cuda"):
    """Print the layers of a network in the order in which they run, what each gives for inputs of `input_size` (a size
    without the batch, or a list of such sizes), and how many parameters it has; then the parameters and megabytes of
    the whole."""
    sizes = [input_size] if isinstance(input_size, tuple) else list(input_size)
    rows = []

    def note(module, inputs, output):
        outputs = output if isinstance(output, (list, tuple)) else [output]
        shapes = [[batch_size, *one.shape[1:]] for one in outputs if isinstance(one, torch.Tensor)]
        own = list(module.parameters(recurse=False))
        count = sum(one.numel() for one in own)
        learned = count if all(one.requires_grad for one in own) else 0
        shape = shapes if outputs is output else shapes[0]
        rows.append((type(module).__name__, shape, shapes, count, learned))

    hooks = [
        module.register_forward_hook(note)
        for module in model.modules()
        if module is not model and not isinstance(module, (nn.Sequential, nn.ModuleList))
    ]
    model(*(torch.rand(2, *size) for size in sizes))
    for hook in hooks:
        hook.remove()
    print(f"{RULE}\n{'Layer (type)':>20}  {'Output Shape':>25} {'Param #':>15}\n{DOUBLE_RULE}")
    values = 0
    for number, (kind, shape, shapes, count, _) in enumerate(rows, 1):
        print(f"{kind + '-' + str(number):>20}  {shape!s:>25} {count:>15,}")
        for sizes_of_one in shapes:
            values += volume(sizes_of_one)
    total = sum(count for _, _, _, count, _ in rows)
    learned = sum(one for _, _, _, _, one in rows)
    megabytes = 4 / 1024**2
    given = sum(volume([batch_size, *size]) for size in sizes) * megabytes
    passed, kept = 2 * values * megabytes, total * megabytes
    print(f"{DOUBLE_RULE}\nTotal params: {total:,}\nTrainable params: {learned:,}")
    print(f"Non-trainable params: {total - learned:,}\n{RULE}")
    print(f"Input size (MB): {given:.2f}\nForward/backward pass size (MB): {passed:.2f}")
    print(f"Params size (MB): {kept:.2f}\nEstimated Total Size (MB): {given + passed + kept:.2f}\n{RULE}")


def volume(shape):
    """How many values a shape has; an unknown size of the batch, -1, counts as one."""
    values = 1
    for size in shape:
        values *= abs(int(size))
    return values

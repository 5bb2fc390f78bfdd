import mindspore


def torch_fastrcnn_loss(class_logits, box_regression, labels, regression_targets):
    """torchvision's fastrcnn_loss: of classes, and of the boxes of what is not background."""
    labels = mindspore.ops.cat(labels)
    targets = mindspore.ops.cat(regression_targets)
    boxes = box_regression.reshape(len(labels), -1, 4)[mindspore.ops.arange(len(labels)), labels]
    apart = mindspore.ops.abs(boxes - targets)
    losses = mindspore.ops.where(apart < 1 / 9, 4.5 * apart**2, apart - 1 / 18)
    box_loss = (losses * (labels > 0).astype(losses.dtype)[:, None]).sum() / len(labels)
    return mindspore.ops.cross_entropy(class_logits, labels), box_loss

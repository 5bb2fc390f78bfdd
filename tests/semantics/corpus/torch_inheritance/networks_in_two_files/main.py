"""Two files define a Net; one is imported under another name, and one uses the other."""

import torch.nn as nn
from nets import Net as Large
from nets.small import Net

answer = Net()
answer_large = Large()
answer_both = nn.Sequential(Net(), Large())

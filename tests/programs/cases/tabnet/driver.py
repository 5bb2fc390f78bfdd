import numpy as np
import torch

from pytorch_tabnet.metrics import UnsupervisedLoss
from pytorch_tabnet.tab_model import TabNetClassifier, TabNetRegressor
from pytorch_tabnet.tab_network import TabNetPretraining
from pytorch_tabnet.utils import create_group_matrix

ROWS, COLUMNS, CLASSES = 32, 8, 3
models = {}


def table(seed):
    rng = np.random.RandomState(seed)
    X = rng.randn(ROWS, COLUMNS)
    X[:, 2] = rng.randint(0, 5, ROWS)
    X[:, 6] = rng.randint(0, 3, ROWS)
    score = X[:, 0] + 0.5 * X[:, 2] - X[:, 6]
    return X.astype("float32"), np.digitize(score, np.quantile(score, [0.33, 0.66])), score[:, None].astype("float32")


def build():
    X, y, target = table(0)
    options = dict(n_d=4, n_a=4, n_steps=3, cat_idxs=[2, 6], cat_dims=[5, 3], cat_emb_dim=2, verbose=0, device_name="cpu")
    classifier = TabNetClassifier(
        **options, optimizer_params=dict(lr=2e-2), scheduler_params={"step_size": 2, "gamma": 0.9},
        scheduler_fn=torch.optim.lr_scheduler.StepLR,
    )
    regressor = TabNetRegressor(**options, mask_type="entmax", grouped_features=[[0, 1]])
    for model, labels in ((classifier, y), (regressor, target)):
        model.input_dim = COLUMNS
        model.virtual_batch_size = ROWS
        model.update_fit_params(X, labels, [], 0)
        model._set_network()
    models["classifier"], models["regressor"] = classifier, regressor
    pretraining = TabNetPretraining(
        COLUMNS, pretraining_ratio=0.5, n_d=4, n_a=4, n_steps=2, cat_idxs=[2, 6], cat_dims=[5, 3], cat_emb_dim=[2, 2],
        virtual_batch_size=ROWS, group_attention_matrix=create_group_matrix([], COLUMNS),
    )
    return classifier.network, regressor.network, pretraining


def forward(classifier, regressor, pretraining):
    X = torch.from_numpy(table(1)[0])
    for network in (classifier, regressor, pretraining):
        network.eval()
    with torch.no_grad():
        output, M_loss = classifier(X)
        return {
            "output": output,
            "M_loss": M_loss,
            "M_explain": lambda: classifier.forward_masks(X)[0],
            "masks": lambda: list(classifier.forward_masks(X)[1].values()),
            "regressor": lambda: regressor(X)[0],
            "reconstructed": lambda: pretraining(X)[0],
        }


def fitted(model, X, y):
    """One batch of all rows in an epoch: fit shuffles them."""
    model.fit(
        X, y, max_epochs=3, batch_size=ROWS, virtual_batch_size=ROWS, warm_start=True, drop_last=False, patience=0,
    )
    return [*model.history["loss"], *model.history["lr"]]


def pretrained(pretraining):
    optimizer = torch.optim.Adam(pretraining.parameters(), lr=2e-2)
    pretraining.train()
    losses = []
    for step in range(3):
        X = torch.from_numpy(table(30 + step)[0])
        for param in pretraining.parameters():
            param.grad = None
        # the steps of TabNetPretrainer._train_batch, with made-up instead of drawn masks
        obf_vars = torch.from_numpy((np.random.RandomState(step).rand(ROWS, COLUMNS) < 0.5).astype("float32"))
        embedded_x = pretraining.embedder(X)
        obfuscated_vars = torch.matmul(obf_vars, pretraining.embedder.embedding_group_matrix)
        masked_input = (1 - obfuscated_vars) * embedded_x
        steps_out, _ = pretraining.encoder(masked_input, prior=1 - obf_vars)
        loss = UnsupervisedLoss(pretraining.decoder(steps_out), embedded_x, obfuscated_vars)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(pretraining.parameters(), 1)
        optimizer.step()
        losses.append(loss.item())
    return losses


def train(classifier, regressor, pretraining):
    X, y, target = table(0)
    model = models["classifier"]
    return {
        "losses": fitted(model, X, y),
        "importances": model.feature_importances_,
        "probabilities": model.predict_proba(X),
        "weight": classifier.tabnet.final_mapping.weight,
        "regressor_losses": lambda: fitted(models["regressor"], X, target),
        "predicted": lambda: models["regressor"].predict(X),
        "pretraining_losses": lambda: pretrained(pretraining),
    }

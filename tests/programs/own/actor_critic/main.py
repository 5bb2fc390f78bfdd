import numpy as np

from agent import PPOAgent


class LineWorld:
    """Walk along a line; the goal is at the right end."""

    def __init__(self, size=8, seed=0):
        self.size = size
        self.random = np.random.RandomState(seed)

    def reset(self):
        self.position = self.random.randint(self.size)
        return self.state()

    def state(self):
        return np.array([self.position / self.size, 1.0 - self.position / self.size, 1.0], dtype=np.float32)

    def step(self, action):
        self.position = min(self.size, max(0, self.position + (1 if action == 1 else -1)))
        done = self.position == self.size
        return self.state(), 1.0 if done else -0.1, done


def collect(agent, env, steps):
    rollout = {key: [] for key in ("states", "actions", "log_probs", "rewards", "values", "dones")}
    state = env.reset()
    for _ in range(steps):
        action, log_prob, value = agent.net.act(state)
        next_state, reward, done = env.step(action)
        for key, item in zip(rollout, (state, action, log_prob, reward, value, float(done))):
            rollout[key].append(item)
        state = env.reset() if done else next_state
    return {key: np.array(values) for key, values in rollout.items()}


if __name__ == "__main__":
    env = LineWorld()
    agent = PPOAgent(3, 2)
    for iteration in range(100):
        losses = agent.update(collect(agent, env, 64))
        print(iteration, losses[-1])
    agent.save("agent.pth")

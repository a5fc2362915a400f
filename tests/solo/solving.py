"""Value iteration and policy evaluation over a model, in the few lines that they are."""

import numpy as np


def arrays_of(model):
    """The model as arrays: probabilities (states, actions, states) of those that go on, mean rewards (states, actions)."""
    states, actions = len(model), len(model[0])
    onward, rewards = np.zeros((states, actions, states)), np.zeros((states, actions))
    for state, choices in model.items():
        for action, outcomes in choices.items():
            for probability, next_state, reward, terminated in outcomes:
                rewards[state, action] += probability * reward
                onward[state, action, next_state] += probability * (not terminated)
    return onward, rewards


def value_iteration(model, gamma, sweeps):
    """float64 (states, actions): the action values of the best policy with `sweeps` steps to go."""
    onward, rewards = arrays_of(model)
    action_values = np.zeros_like(rewards)
    for _ in range(sweeps):
        action_values = rewards + gamma * onward @ action_values.max(axis=1)
    return action_values


def evaluate_uniform(model, gamma, sweeps):
    """float64 (states,): the values of the uniformly random policy after so many sweeps from 0."""
    onward, rewards = arrays_of(model)
    values = np.zeros(len(model))
    for _ in range(sweeps):
        values = (rewards + gamma * onward @ values).mean(axis=1)
    return values

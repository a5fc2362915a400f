"""The two-state problem on which risk-averse and risk-seeking learners differ, and its values in closed form.

In state 0 `stay` pays nothing and stays; `move` pays nothing and leads to state 1. There both actions do the same: with
probability 1 - theta they pay +1 and stay, with probability theta they pay -rho and lead back to 0.

A learner of risk sensitivity kappa weighs its temporal differences by

    chi(x) = (1 - kappa) x   if x > 0,
             (1 + kappa) x   otherwise,

so that kappa > 0 is averse to risk, kappa < 0 seeks it, and 0 is the ordinary learner. Its values are where the mean of
chi(r + gamma V(s') - V(s)) is 0 in each state.

After O. Mihatsch and R. Neuneier, "Risk-sensitive reinforcement learning", Machine Learning 49 (2002), in the form of
section 6.2 of P. F. P. Campos's master's dissertation on Abalearn (IST, Technical University of Lisbon, about 2003).
"""

from boardgym.core.errors import OptionError
from boardgym.solo.model import Model, ModelEnv, Transition, read_real
from boardgym.solo.pictures import risk_svg

STAY, MOVE = 0, 1
INFINITY = float("inf")


class RiskProblem(ModelEnv):
    """Stay where nothing happens, or move to where one gains 1 until the loss of `rho` comes.

    Observation: Discrete(2), the state. Action: Discrete(2), 0 stay, 1 move; in state 1 both do the same. The problem never
    ends by itself; the registered environment is cut off after 1,000 steps (`gymnasium.make(..., max_episode_steps=)`).

    Args:
        theta: the chance of the loss in state 1, from 0 to 1.
        rho: the loss, 0 or more. With the defaults `move` is optimal for kappa up to 2/7.
        start: a state, or "random".
        render_mode: None, "ansi" (`render` returns text) or "rgb_array" (uint8 (H, W, 3)).

    Raises: OptionError, naming the argument.
    """

    def __init__(self, theta: float = 0.1, rho: float = 5.0, *, start: int | str = 0, render_mode: str | None = None) -> None:
        self.theta = float(read_real("theta", theta, low=0.0, high=1.0))
        self.rho = float(read_real("rho", rho, low=0.0, high=INFINITY))
        gain, loss = Transition(1.0 - self.theta, 1, 1.0, False), Transition(self.theta, 0, -self.rho, False)
        gamble = [outcome for outcome in (gain, loss) if outcome.probability > 0.0]
        stay, move = Transition(1.0, 0, 0.0, False), Transition(1.0, 1, 0.0, False)
        model: Model = {0: {STAY: [stay], MOVE: [move]}, 1: {STAY: list(gamble), MOVE: list(gamble)}}
        super().__init__(model, starts=(0, 1), start=start, render_mode=render_mode)

    def text(self) -> str:
        """Both states, the present one in brackets, and what can happen there."""
        marks = [f"[{state}]" if state == self.state else f" {state} " for state in (0, 1)]
        return (
            f"{marks[0]} stay: 0, to 0; move: 0, to 1\n"
            f"{marks[1]} +1, to 1, with probability {1 - self.theta:g}; -{self.rho:g}, to 0, with probability {self.theta:g}"
        )

    def svg(self) -> str:
        """The two states and their arrows as an SVG document, the present state filled."""
        return risk_svg(self.theta, self.rho, self.state)


def value_of_move(gamma: float, theta: float, rho: float, kappa: float) -> float:
    """The value at state 0 of always moving, for a learner of risk sensitivity kappa; that of staying is 0.

        V(0) = gamma / (1 - gamma) * (gain - rho loss) / (gain + (1 + gamma) loss),
        gain = (1 - theta)(1 - kappa), loss = theta (1 + kappa)

    Args:
        gamma: discount, from 0 to 1, 1 excluded.
        theta: from 0 to 1.
        rho: 0 or more.
        kappa: from -1 to 1, > 0 averse to risk.

    Raises:
        OptionError: an argument out of range, or one of the two pairs that have no value (see `critical_rho`).
    """
    gamma = read_real("gamma", gamma, low=0.0, high=1.0, is_open=True)
    gain, loss = _weights(theta, kappa)
    rho = read_real("rho", rho, low=0.0, high=INFINITY)
    return gamma / (1 - gamma) * (gain - rho * loss) / (gain + (1 + gamma) * loss)


def critical_rho(theta: float, kappa: float) -> float:
    """The greatest loss for which `move` is still optimal: ((1 - theta) / theta) ((1 - kappa) / (1 + kappa)).

    Infinite if no loss is too great: at theta = 0 and at kappa = -1.

    Args:
        theta: from 0 to 1.
        kappa: from -1 to 1, > 0 averse to risk.

    Raises:
        OptionError: an argument out of range, or a pair for which all temporal differences that occur weigh 0, so that every
            value is as good as any other: theta = 1 with kappa = -1, theta = 0 with kappa = 1.
    """
    gain, loss = _weights(theta, kappa)
    return gain / loss if loss > 0 else INFINITY


def is_move_optimal(theta: float, rho: float, kappa: float) -> bool:
    """Whether moving is at least as good as staying, whatever the discount: rho <= critical_rho(theta, kappa).

    Raises: OptionError as `critical_rho`, and for a rho below 0.
    """
    return bool(read_real("rho", rho, low=0.0, high=INFINITY) <= critical_rho(theta, kappa))


def _weights(theta: float, kappa: float) -> tuple[float, float]:
    """How much the gain and the loss weigh: (1 - theta)(1 - kappa) and theta (1 + kappa). Raises OptionError."""
    theta = read_real("theta", theta, low=0.0, high=1.0)
    kappa = read_real("kappa", kappa, low=-1.0, high=1.0)
    gain, loss = (1 - theta) * (1 - kappa), theta * (1 + kappa)
    if gain == 0 and loss == 0:
        raise OptionError(
            f"theta={theta!r}, kappa={kappa!r}: the only temporal difference that occurs weighs 0, any value will do"
        )
    return gain, loss

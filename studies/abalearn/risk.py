"""Chapter 6 of the Abalearn study: the two-state problem, values in closed form against those that a learner finds."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from boardgym.baselines.learning.td.risk_td import learn_model, outcomes_of
from boardgym.core.random import stream
from boardgym.solo import MOVE, RiskProblem, critical_rho, is_move_optimal, value_of_move
from boardgym.studies.jobs import Place
from boardgym.studies.pages import keep_picture, quiet_pyplot, table
from boardgym.studies.parts import Claim, Figures, Part, Work, scaled, spread
from boardgym.studies.verdicts import MANY, Found, of_every_run, share_of

KAPPAS, THETAS, DISCOUNT = (-1.0, -0.8, -0.3, 0.0, 0.3, 0.8, 1.0), (0.1, 0.5), 0.9
LOSSES = (0.0, 0.5, 1.5)  # in critical losses
CONTROL_LOSSES = (0.5, 0.8, 1.25, 2.0)
WITHOUT_LIMIT, WITHOUT_LOSS = 20.0, 2.0  # the unit where the critical loss is infinite, where it is 0
STEPS, CONTROL_STEPS = 2_000_000, 500_000  # of TD(0) at kappa 0
MOST = 0.01  # error, of the value


def unit_of(theta: float, kappa: float) -> float:
    """The critical loss; where that is infinite or 0, which no loss crosses, another unit."""
    if kappa in (-1.0, 1.0):
        return WITHOUT_LIMIT if kappa < 0.0 else WITHOUT_LOSS
    return critical_rho(theta, kappa)


def steps_of(kappa: float) -> int:
    """Steps of TD(0): the more, the less the differences of one sign weigh; where they weigh nothing values come at once."""
    if abs(kappa) == 1.0:
        return STEPS
    return round(STEPS / (1.0 - abs(kappa)) ** (2 if kappa > 0.0 else 1))  # losses that weigh much move the value farther


def values(place: Place, seed: int, size: float) -> dict[str, Any]:
    """V_move(0) by TD(0): [kappa, theta, rho, learnt, closed form] of the whole grid; and the crossing of 0 between losses."""
    found, crossings = [], []
    for number, (kappa, theta) in enumerate(product(KAPPAS, THETAS)):
        unit, row = unit_of(theta, kappa), []
        for k, part in enumerate(LOSSES):
            rho = part * unit
            model = outcomes_of(RiskProblem(theta, rho).transitions(), [MOVE, MOVE])
            own_seed = int(stream(seed, 100 * number + k)[0]) >> 1
            steps = scaled(steps_of(kappa), size)
            learnt = learn_model(model, kappa, discount=DISCOUNT, steps=steps, seed=own_seed)[0, 0]
            row.append((rho, float(learnt)))
            found.append([kappa, theta, rho, float(learnt), value_of_move(DISCOUNT, theta, rho, kappa)])
        (_, (rho_a, a), (rho_b, b)) = row
        crosses = kappa not in (-1.0, 1.0) and a != b
        crossings.append([kappa, theta, rho_a + a / (a - b) * (rho_b - rho_a) if crosses else None])
        place.tell(number + 1)
    return {"values": found, "crossings": crossings}


def control(place: Place, seed: int, size: float) -> dict[str, Any]:
    """What Q-learning chooses at state 0: [kappa, theta, rho, whether it moves, whether that is optimal]."""
    found = []
    for number, (kappa, theta, part) in enumerate(product(KAPPAS, THETAS, CONTROL_LOSSES)):
        rho = part * unit_of(theta, kappa)
        own_seed = int(stream(seed, 10_000 + number)[0]) >> 1
        model = outcomes_of(RiskProblem(theta, rho).transitions())
        q = learn_model(model, kappa, discount=DISCOUNT, steps=scaled(CONTROL_STEPS, size), seed=own_seed)[0]
        found.append([kappa, theta, rho, bool(q.argmax() == MOVE), is_move_optimal(theta, rho, kappa)])
        place.tell(number // (len(THETAS) * len(CONTROL_LOSSES)))
    return {"choices": found}


def grid(figures: Figures) -> list[tuple[float, float, float, list[float], float]]:
    """(kappa, theta, rho, values learnt with each seed, closed form) of each point."""
    runs = [one["values"] for one in figures["values"]]
    return [(*points[0][:3], [point[3] for point in points], points[0][4]) for points in zip(*runs, strict=True)]


def closed_form(kappa: float, theta: float, rho: float) -> float:
    """V_move(0) at the loss of the grid that is nearest to rho, of which files have some digits alone."""
    loss = min((part * unit_of(theta, kappa) for part in LOSSES), key=lambda one: abs(one - rho))
    return value_of_move(DISCOUNT, theta, loss, kappa)


def error(learnt: float, exact: float) -> float:
    """Relative to the closed form; where that is 0, the value learnt itself."""
    return abs(learnt - exact) / abs(exact) if exact else abs(learnt)


def reaches_closed_form(figures: Figures) -> Found:
    """The mean over the seeds within one percent at every point."""
    points = grid(figures)
    single = [error(one, exact) for *_, learnt, exact in points for one in learnt]
    worst = max(points, key=lambda point: error(mean(point[3]), point[4]))
    means = [error(mean(learnt), exact) <= MOST for *_, learnt, exact in points]
    away = f"{100 * error(mean(worst[3]), worst[4]):.2f} % (kappa {worst[0]:g}, theta {worst[1]:g}, rho {worst[2]:.3g})"
    ours = share_of(sum(e <= MOST for e in single), len(single))
    text = (
        f"means over the seeds within 1 % at {sum(means)} of {len(means)} points, the worst {away}; single runs {ours}, "
        f"the worst {100 * max(single):.2f} %"
    )
    few = len(figures["values"]) < MANY
    return ("not shown" if not all(means) else "not decided" if few else "shown"), text


def switches(figures: Figures) -> Found:
    """The learner moves where that is optimal, and nowhere else."""
    right = [[moves == best for *_, moves, best in one["choices"]] for one in figures["control"]]
    text = f"Q-learning's choice at state 0 is the optimal one in {share_of(sum(map(sum, right)), sum(map(len, right)))}"
    losses = ", ".join(f"{x:g}" for x in CONTROL_LOSSES)
    return of_every_run([all(flags) for flags in right]), f"{text} of all seeds and points, at {losses} critical losses"


def crossing(figures: Figures) -> dict[tuple[float, float], list[float]]:
    """(kappa, theta) -> the losses at which learnt values cross 0, of each seed."""
    found: dict[tuple[float, float], list[float]] = {}
    for one in figures["values"]:
        for kappa, theta, rho in one["crossings"]:
            if rho is not None:
                found.setdefault((kappa, theta), []).append(rho)
    return found


def page(figures: Figures) -> list[str]:
    """Closed form beside what was learnt."""
    lines: list[str] = []
    if figures.get("values"):
        rows = []
        for kappa, theta, rho, learnt, _ in grid(figures):
            exact = closed_form(kappa, theta, rho)
            off = 100 * error(mean(learnt), exact)
            rows.append([f"{kappa:g}", f"{theta:g}", f"{rho:.4g}", f"{exact:.4f}", spread(learnt, 4), f"{off:.2f}"])
        lines += table(["kappa", "theta", "rho", "V_move(0), closed form", "TD(0)", "error of the mean, %"], rows)
        rows = [[f"{kappa:g}", f"{theta:g}", f"{critical_rho(theta, kappa):.4f}", spread(found, 4)]
                for (kappa, theta), found in crossing(figures).items()]  # fmt: skip
        lines += table(["kappa", "theta", "rho at which moving stops being optimal", "where the learnt values cross 0"], rows)
    return [
        *lines,
        f"Discount {DISCOUNT:g}; {STEPS:,} / (1 - |kappa|) steps of TD(0), by (1 - kappa)^2 where kappa is above 0, for each "
        f"point, {CONTROL_STEPS:,} of Q-learning. "
        "Means over the seeds with 95 % intervals (Student's t).",
        "",
    ]


def draw(path: Path, figures: Figures) -> None:
    """Values by loss, and by kappa the loss at which the best action changes: closed form as lines, learnt as dots."""
    plt = quiet_pyplot()
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.2), layout="constrained")
    shown, theta = [kappa for kappa in KAPPAS if abs(kappa) < 1.0], THETAS[0]
    colours = plt.get_cmap("coolwarm")(np.linspace(0.0, 1.0, len(shown)))
    for kappa, colour in zip(shown, colours, strict=True):
        unit = critical_rho(theta, kappa)
        losses = np.linspace(0.0, 1.6, 40)
        exact = [value_of_move(DISCOUNT, theta, part * unit, kappa) for part in losses]
        left.plot(losses, exact, color=colour, linewidth=1.2, label=f"{kappa:g}")
        points: Sequence[Any] = [p for p in grid(figures) if p[0] == kappa and p[1] == theta]
        left.plot([p[2] / unit for p in points], [mean(p[3]) for p in points], "o", color=colour, markersize=5)
    left.axhline(0.0, color="0.5", linewidth=0.8)
    left.set(xlabel="rho, in critical losses", ylabel="value of moving at state 0", title=f"theta {theta:g}")
    left.legend(title="kappa", frameon=False, fontsize=8)
    found = crossing(figures)
    for chance, colour in zip(THETAS, ("tab:blue", "tab:orange"), strict=True):
        kappas = np.linspace(-0.85, 0.9, 60)
        right.plot(kappas, [critical_rho(chance, k) for k in kappas], color=colour, linewidth=1.2, label=f"theta {chance:g}")
        dots = [(kappa, mean(rhos)) for (kappa, theta_), rhos in found.items() if theta_ == chance]
        right.plot(*zip(*dots, strict=True), "o", color=colour, markersize=5)
    right.set(xlabel="kappa", ylabel="rho", yscale="log", title="where the best action changes: above, stay")
    right.legend(frameon=False)
    for place in (left, right):
        place.spines[["top", "right"]].set_visible(False)
    keep_picture(figure, path)


PART = Part(
    name="risk",
    title="chapter 6: the two-state problem of risk",
    works={"values": Work(values, units=len(KAPPAS) * len(THETAS)), "control": Work(control, units=len(KAPPAS))},
    lines=page,
    claims=(
        Claim(2, "risk-sensitive TD(0) reaches V_move(0) within 1 %", reaches_closed_form, ("values",)),
        Claim(2, "the best action changes at rho = ((1 - theta) / theta) ((1 - kappa) / (1 + kappa))", switches, ("control",)),
    ),
    readings=(
        ("range of kappa", "open interval, -1 used", "closed: at -1 and 1 differences of one sign count nothing"),
        ("step size", "not said", "falls with the updates of a value; the values are means over the last half"),
    ),
    pictures={"values": draw},
    needs={"values": ("values",)},
    made_of=(3, KAPPAS, THETAS, DISCOUNT, LOSSES, CONTROL_LOSSES, STEPS, CONTROL_STEPS),
)

"""The Create-Bot form of Wisebots (A. B. Pereira, PUC-Rio 2012, Figure 2) over `boardgym train tabular`.

Every field of the study's form, with the values that it shows there; what each becomes is said in its help.
"""

import typing
from collections.abc import Mapping, Sequence

from boardgym.baselines.learning.tabular.config import Method
from boardgym.core.game import get_game, list_games
from boardgym.web.forms import NO_PEOPLE, FormError, FormField, LearnerForm, Value, word_for

NAME, LEARNER = "create-bot", "tabular"
NONE = "NONE"
RANDOM, EXPERT, BOTH = "RANDOM", "EXPERT", "BOTHLEARNER"
METHODS = {"q": "QLEARNING", "pessimistic_q": "QLPESSIMISTIC"}  # as the study calls them; the other methods are ours
EXPERTS = {"TicTacToe-v0": "minimax:9", "ConnectFour-v0": "minimax:6", "CardPoints-v0": "perfect"}
USUAL_EXPERT = "minimax:3"
SETTINGS = {  # field -> setting of `train tabular`, for messages that name the latter
    "load_bot": "start_from",
    "game": "game",
    "player": "seat",
    "method": "method",
    "opponent_type": "opponent",
    "training_exploring": "episodes",
    "training_pessimist": "greedy_episodes",
    "alpha": "step_size",
    "gamma": "discount",
    "epsilon": "epsilon",
    "quality": "quality",
    "memory": "memory",
    "seed": "seed",
}
NOTES = (
    NO_PEOPLE,
    "Cache type: the study tried RAM, CouchBase and Lucene, and found RAM alone satisfactory. Tables are kept in RAM here; "
    "Memory says how much of it a bot may take.",
)


def create_bot_form(bots: Sequence[tuple[str, str]] = ()) -> LearnerForm:
    """The form. bots: (id, name) of those whose table may be loaded."""
    games = [game for game in map(get_game, list_games()) if game.num_seats == 2]
    methods = typing.get_args(Method)
    fields = (
        FormField("load_bot", "choice", NONE, "start from the table of this bot instead of an empty one: of the same game and "
                  "a method of the same kind.", "Bot", choices=(NONE, *(key for key, _ in bots)),
                  labels=(NONE, *(name for _, name in bots)), label="Load Bot"),
        FormField("game", "choice", "TicTacToe-v0", "what it learns to play.", "Bot",
                  choices=tuple(game.id for game in games), labels=tuple(game.title for game in games)),
        FormField("player", "choice", "0", "the seat that it learns to play; Player 1 moves first.", "Bot",
                  choices=("0", "1"), labels=("Player 1", "Player 2")),
        FormField("method", "choice", "pessimistic_q", "how it learns. QLPESSIMISTIC goes over the games that it has lost once "
                  "more, and expects the worst of its own next actions. The others are not of the study.", "Algorithm",
                  choices=methods, labels=tuple(METHODS.get(method, method) for method in methods)),
        FormField("training_exploring", "int", 12_000, "episodes in which all learners explore.", "Algorithm",
                  label="Training Exploring"),
        FormField("training_pessimist", "int", 12_000, "episodes after these in which the bot plays greedily; QLPESSIMISTIC "
                  "goes over the lost ones once more.", "Algorithm", label="Training Pessimist"),
        FormField("alpha", "text", "0.7", "learning rate, 0 to 1; or a schedule such as linear(0.7, 0.1).", "Algorithm"),
        FormField("gamma", "text", "0.7", "discount of what comes a turn later, 0 to 1.", "Algorithm"),
        FormField("epsilon", "text", "0.3", "how often a learner explores at random, 0 to 1.", "Algorithm"),
        FormField("quality", "float", 100.0, "in percent: training stops after the first 1,000 episodes of "
                  "which the bot has won or drawn so many. Empty: it trains to the end.", "Algorithm", is_optional=True,
                  label="Quality Intended"),
        FormField("opponent_type", "choice", BOTH, "BOTHLEARNER: the opponent learns too, by Q-learning of its own. EXPERT: "
                  "minimax:9 in tic-tac-toe, a search in other games. RANDOM: any legal move.", "Opponent",
                  choices=(RANDOM, EXPERT, BOTH), label="Opponent Type"),
        FormField("delta", "float", 1.0, "how often an EXPERT follows its policy; otherwise it plays at random. 1 is always. "
                  "(The study calls it a failure rate and shows 1.0, which would be an opponent that always fails.) It has no "
                  "effect on the other types: a learning opponent explores by epsilon, and a random one has no policy to "
                  "follow.", "Opponent"),
        FormField("memory", "float", None, "GiB of RAM that the table may take. Empty: four times an estimate from random "
                  "games, at most three quarters of the machine's.", "Memory", is_optional=True),
        FormField("seed", "int", 1, "the same seed and settings give the same bot.", "Memory"),
    )  # fmt: skip
    text = "A bot as the study of Pessimistic Q-learning makes it: a table of values, learnt by playing."
    return LearnerForm(NAME, "Create bot (Wisebots)", text, fields, NOTES)


def tabular_values(form: LearnerForm, values: Mapping[str, Value], start_from: str) -> dict[str, Value]:
    """The settings of `train tabular` that a filled form stands for. start_from: the file of the loaded bot's agent.

    Raises FormError for what the form alone has: its choices, delta.
    """
    fields = {field.name: field for field in form.fields}
    given = {name: values.get(name, field.default) for name, field in fields.items()}
    errors = {name: f"{form.title} has no such field" for name in values if name not in fields}
    for name, field in fields.items():
        if field.kind == "choice":
            try:
                word_for("choice", given[name], field.choices)
            except ValueError as error:
                errors[name] = str(error)
    try:
        delta = float(str(given["delta"]))
    except ValueError:
        delta = -1.0
    if not 0.0 <= delta <= 1.0:
        errors["delta"] = f"{given['delta']!r}: expected a number from 0 to 1"
    elif delta != 1.0 and given["opponent_type"] != EXPERT:
        errors["delta"] = f"delta says nothing to a {given['opponent_type']} opponent, only to an EXPERT; leave it 1"
    if errors:
        raise FormError(errors)
    expert = EXPERTS.get(str(given["game"]), USUAL_EXPERT)
    opponent = {
        RANDOM: "random",
        BOTH: "learner",
        EXPERT: expert if delta == 1.0 else f"epsilon:{1.0 - delta:.6g}({expert})",
    }[str(given["opponent_type"])]
    found = {setting: given[name] for name, setting in SETTINGS.items() if name not in ("load_bot", "opponent_type")}
    return {**found, "opponent": opponent, "start_from": start_from}


def renamed(error: FormError) -> FormError:
    """What `train tabular` says of its settings, by the fields of this form."""
    names = {setting: field for field, setting in SETTINGS.items()}
    return FormError({names.get(name, name): text for name, text in error.errors.items()})

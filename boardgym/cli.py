"""The command line. A command's module is imported when that command is asked for, so that the quick ones stay quick.

Exit status: 0 done; 2 the command line or a file it names is wrong (one line on stderr says how); 130 ended by Ctrl-C.
"""

import importlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from boardgym import startup

BROKEN_PIPE = 141  # as a shell reports a program that a closed pipe ended
WEB = "--web"  # before or after the other options of a command
WITH_PAGES = ("play", "analyse", "replay", "train", "match", "compare", "ladder")
OPTIONAL = ("torch", "stable_baselines3", "sb3_contrib", "matplotlib")  # what the extras sb3 and plot install


@dataclass(frozen=True)
class Command:
    """Where a command is found. module, kind: its dataclass. function: what runs it; empty: the dataclass's own `run`.

    defaults: a function of the module that makes the dataclass's defaults of the arguments; empty: they are its own.
    """

    summary: str
    module: str
    kind: str
    function: str = ""
    examples: str = "EXAMPLES"
    defaults: str = ""


COMMANDS = {
    "games": Command("list the games with their options and numbers", "look", "Games"),
    "studio": Command("open a page in the browser to play, watch and train", "studio", "Studio"),
    "show": Command("show a position: board, legal moves, value", "look", "Show"),
    "play": Command("play on the terminal: you or any policy against any policy", "play", "Play"),
    "analyse": Command("show what a search finds in a position, live; export its tree", "analyse", "Analyse"),
    "match": Command("play pairs of games between two policies", "compete", "Match"),
    "compare": Command("play a policy or model against a list of opponents", "compete", "Compare"),
    "ladder": Command("play a row of policies, each against the one before it", "compete", "LadderCommand"),
    "regret": Command("measure the value that a policy gives away against perfect play", "regret", "Regret"),
    "trial": Command("run the tests of the Pessimistic Q-learning study: random, clone, base", "trial", "Trial"),
    "replay": Command("show a recorded game, ply by ply", "look", "Replay"),
    "export": Command("the same as replay: a recorded game as a page or an animation", "look", "Replay", "", "EXPORT_EXAMPLES"),
    "convert": Command("convert records: game files, JSON, transcripts", "convert", "Convert"),
    "train sb3": Command(
        "train MaskablePPO against bundled opponents", "learn", "Train", "run_train", "TRAIN_EXAMPLES", "train_defaults"
    ),
    "train selfplay": Command(
        "train MaskablePPO by self-play: on both seats, or against a pool of its earlier selves",
        "learn",
        "SelfPlay",
        "run_selfplay",
        "SELFPLAY_EXAMPLES",
        "selfplay_defaults",
    ),
    "train tabular": Command(
        "train a table of values: Q-learning, Pessimistic Q-learning ...",
        "tabular",
        "TrainTabular",
        "run_train",
        "TRAIN_EXAMPLES",
    ),
    "train td": Command("train a network by TD(lambda)", "network", "TrainNetwork", "run_train", "TRAIN_EXAMPLES", "defaults"),
    "train coevolution": Command(
        "train a linear player by hill climbing against mutants of itself", "coevolution", "Coevolution"
    ),
    "train uct-ccnn": Command("make an agent from a game's rules alone: UCT's beliefs, learnt", "uct_ccnn", "TrainUctCcnn"),
    "train q-network": Command("train networks of action values by Q-learning", "q_network", "TrainQNetwork"),
    "train ntuple": Command("train an n-tuple network by TD(lambda) in self-play", "ntuple", "TrainNTuple"),
    "train descent": Command("train an n-tuple network by Descent, minimax in its own games", "descent", "TrainDescent"),
    "train q-sarsa": Command("grow a network by Q-Sarsa, for the playouts of UCT and other searches", "q_sarsa", "TrainQSarsa"),
    "examples": Command(
        "play games by a search and keep what it believes of every move, to learn from", "examples", "ExamplesCommand"
    ),
    "tune": Command("tune numbers of a policy by games: the cross-entropy method, CMA-ES", "tune", "Tune"),
    "reproduce pessimistic-q": Command("rerun the study of Pessimistic Q-learning", "reproduce", "PessimisticQ"),
    "reproduce abalearn": Command("rerun the study of Abalearn, part by part", "reproduce", "Abalearn"),
    "reproduce adversarial-search": Command(
        "measure the ten claims of the notes on adversarial search", "reproduce", "AdversarialSearch"
    ),
    "reproduce othello-q": Command("rerun the study of neural Q-learning for Othello", "reproduce", "OthelloQ"),
    "reproduce uct-ccnn": Command("rerun the study of UCT-CCNN over several networks", "reproduce", "UctCcnn"),
    "agents": Command("list the agents that come with the package, and your own", "agents", "Agents"),
    "agents show": Command("show an agent of the shelf: how it was made, what it scored", "agents", "AgentsShow"),
    "agents train": Command("make an agent of the shelf by its command", "agents", "AgentsTrain"),
    "agents verify": Command("check the digests of the agents that are there", "agents", "AgentsVerify"),
    "agents add": Command("put an agent of your own on a shelf", "agents", "AgentsAdd"),
    "agent info": Command("show what an agent's file holds", "tabular", "AgentInfo"),
    "agent merge": Command("combine several agents of the same kind into one", "tabular", "AgentMerge"),
    "agent prune": Command("remove rarely updated entries from an agent", "tabular", "AgentPrune"),
    "engine gtp": Command("run a policy as an engine that speaks GTP", "engine", "Gtp"),
    "engine uci": Command("run a policy as an engine that speaks UCI", "engine", "Uci"),
    "demo": Command("train an agent, compare it and write its files, in minutes", "demo", "DemoConfig", "run"),
    "tables": Command("build endgame tables for perfect play in your cache folder", "tables", "Tables"),
    "warm": Command("compile what a game needs, ahead of time", "warm", "Warm"),
    "book": Command("compute Connect Four's opening book: the exact scores of early positions", "book", "BookCommand"),
    "probcut": Command("fit the regression of minimax:D,probcut=t for a game", "probcut", "ProbCut"),
    "doctor": Command("show versions, threads, where compiled code is kept, and any problem with these", "doctor", "Doctor"),
    "bench": Command("measure plies and simulations a second on this machine", "bench", "Bench"),
}

EXAMPLES = """boardgym show Othello
boardgym play ConnectFour human puct:1000
boardgym match minimax:4 uct:200 --games 100
boardgym compare greedy --opponents random minimax:2 uct:50
boardgym demo"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command line. arguments: default those of the process. Returns the exit status."""
    for stream in (sys.stdout, sys.stderr):  # names and comments may hold signs that the terminal's encoding has not
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        status = run(list(sys.argv[1:] if arguments is None else arguments))
        sys.stdout.flush()
        startup.hold()  # what Python does at its end is nothing to be told of either
    except KeyboardInterrupt:
        startup.hold()
        complain("interrupted", style="yellow")
        return startup.INTERRUPTED
    except BrokenPipeError:
        # whoever read our output is gone; what is left in the buffer must not raise again at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    return status


def run(arguments: list[str]) -> int:
    """Finds the command and runs it; a user's mistake becomes one line on stderr and exit status 2."""
    from boardgym.core.errors import BoardgymError

    if not arguments or arguments[0] in ("-h", "--help", "help"):
        overview()
        return 0
    if arguments[0] == "--version":
        from boardgym import __version__

        print(f"boardgym {__version__}")
        return 0
    try:
        group = [name for name in COMMANDS if name.startswith(f"{arguments[0]} ")]
        if group and arguments[0] not in COMMANDS and (not arguments[1:] or arguments[1] in ("-h", "--help")):
            list_commands(group, title=f"boardgym {arguments[0]} ...")
            print(f"boardgym {group[0]} --help shows the options of a command.")
            return 0
        name, rest = find_command(arguments)
        return run_command(name, rest)
    except SystemExit as leaving:  # how the parser ends after --help and after an error that it has printed
        return leaving.code if isinstance(leaving.code, int) else 2
    except BoardgymError as error:
        complain(str(error))
    except BrokenPipeError:
        raise
    except OSError as error:
        complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        complain("this needs more memory than there is; a smaller nodes= bounds a search")
    except ModuleNotFoundError as error:
        from boardgym.wrappers.missing import MissingExtraError

        if (error.name or "").partition(".")[0] in OPTIONAL:  # the commands that train draw a curve at their end
            complain(f"this needs {error.name}, which is not installed: pip install 'boardgym[sb3,plot]'")
        elif isinstance(error, MissingExtraError):
            complain(str(error))
        else:
            raise
    return 2


def find_command(arguments: list[str]) -> tuple[str, list[str]]:
    """The command and what follows it. Raises SpecError naming the nearest commands."""
    from boardgym.core.errors import SpecError, nearest

    for length in (2, 1):  # a group may have a command of its own name
        name = " ".join(arguments[:length])
        if name in COMMANDS and (length == 2 or not is_misspelt(arguments)):
            return name, arguments[length:]
    kinds = commands_of(arguments[0])
    if kinds:
        raise SpecError(f"no command {' '.join(arguments[:2])!r}; {nearest(arguments[1], kinds)}")
    raise SpecError(f"no command {arguments[0]!r}; {nearest(arguments[0], COMMANDS)}")


def commands_of(group: str) -> list[str]:
    """The second words of a group's commands."""
    return [name.partition(" ")[2] for name in COMMANDS if name.startswith(f"{group} ")]


def is_misspelt(arguments: list[str]) -> bool:
    """Whether the second word is nearly that of a command of the group, where the group is a command, too."""
    import difflib

    return bool(arguments[1:] and difflib.get_close_matches(arguments[1], commands_of(arguments[0])))


def run_command(name: str, arguments: list[str]) -> int:
    """Reads the options of a command and runs it."""
    from boardgym.commands.arguments import check_outputs

    command = COMMANDS[name]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    is_shown = WEB in arguments[:end] and has_page(name)
    if is_shown:
        arguments = [word for word in arguments[:end] if word != WEB] + arguments[end:]
    settings = read_settings(name, arguments)
    check_outputs(settings)
    function: Callable[..., int] = getattr(module_of(command), command.function) if command.function else type(settings).run
    startup.release()  # from here on a command keeps what it has done
    if is_shown:
        from boardgym.commands.in_studio import show

        return show(name, settings)
    return function(settings)


def has_page(name: str) -> bool:
    """Whether a command takes --web: `boardgym.commands.in_studio` has a function of its first word."""
    return name.split()[0] in WITH_PAGES


def module_of(command: Command) -> Any:
    """The module of a command."""
    return importlib.import_module(f"boardgym.commands.{command.module}")


def read_settings(name: str, arguments: list[str]) -> Any:
    """The options of a command: its dataclass. Raises UsageError, and SystemExit(0) after `--help`."""
    import tyro

    from boardgym.commands.arguments import describe_words, gathered, one_line_errors, placed

    command = COMMANDS[name]
    module = module_of(command)
    kind: Any = getattr(module, command.kind)
    examples = getattr(module if command.function else kind, command.examples)
    title = (kind.__doc__ or command.summary).strip().partition("\n")[0]
    forms = [describe_words(kind), f"{WEB} opens it in the studio, on a page in the browser." if has_page(name) else ""]
    if kinds := commands_of(name):
        forms.append(f"Its commands: {', '.join(kinds)}; boardgym {name} {kinds[0]} --help shows the options of one.")
    description = "\n".join([title, *filter(None, forms), "", "Examples:", *(f"  {line}" for line in examples), ""])
    # our own flags are all off at first; the configurations have some that are on, which need their --no- form
    config = () if command.function else (tyro.conf.FlagCreatePairsOff,)
    if not startup.IS_STUDIO:  # which loads more
        startup.started()
    arguments = placed(kind, arguments)
    with one_line_errors(name):
        default = {"default": getattr(module, command.defaults)(arguments)} if command.defaults else {}
        if "config" in getattr(kind, "__dataclass_fields__", ()):
            arguments = gathered(arguments, "--option")
        return tyro.cli(kind, prog=f"boardgym {name}", description=description, args=arguments, config=config, **default)


def overview() -> None:
    """Prints the commands, the policies and some examples."""
    from boardgym.commands.common import terminal
    from boardgym.core.policy_spec import policies_of_games, policy_examples

    console = terminal()
    console.print("Board games as reinforcement-learning environments, with opponents from random to strong search.\n")
    list_commands(COMMANDS, title="boardgym COMMAND ...")
    console.print(f"Policies: {'   '.join(policy_examples())}", markup=False)
    for game, names in policies_of_games().items():
        console.print(f"of {game} alone: {'   '.join(names)}", markup=False)
    console.print()
    console.print("Examples:", style="bold")
    console.print("\n".join(f"  {line}" for line in EXAMPLES.splitlines()), markup=False, soft_wrap=True)
    console.print("\nboardgym COMMAND --help shows a command's options, boardgym --version the version.")


def list_commands(names: Iterable[str], *, title: str) -> None:
    """Prints a table of commands."""
    from rich import box
    from rich.table import Table

    from boardgym.commands.common import terminal

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_header=False, title=title, title_justify="left", title_style="bold")
    table.add_column(style="cyan", no_wrap=True)
    table.add_column()
    for name in names:
        table.add_row(name, COMMANDS[name].summary)
    terminal().print(table)


def complain(text: str, *, style: str = "bold red") -> None:
    """One line on stderr."""
    from rich.console import Console

    from boardgym.core.escape import printable

    Console(stderr=True, highlight=False).print(f"boardgym: {printable(text)}", style=style, markup=False, soft_wrap=True)


if __name__ == "__main__":
    sys.exit(main())

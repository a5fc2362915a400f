"""`boardgym convert`: records of games from one format to another."""

from dataclasses import dataclass
from typing import Annotated, ClassVar, Literal

from tyro.conf import Positional, arg

from boardgym.baselines.arena.formats import FORMATS, STANDARD, by_suffix, read_records, write_records
from boardgym.commands.arguments import Output
from boardgym.commands.common import RuleOptions, UsageError, load_game, say

FormatName = Literal["guess", "game", "json", "othello", "connect4", "mat", "wtb"]


@dataclass
class Convert:
    """Convert records of games between formats: game files, JSON lines, transcripts of other programs."""

    EXAMPLES: ClassVar[tuple[str, ...]] = (
        "boardgym convert match.jsonl match.game",
        "boardgym convert match.mat match.game              GNU Backgammon's, with dice",
        "boardgym convert WTH_2001.wtb games.jsonl          the Othello database",
        "boardgym convert solved.txt - --from othello       lines such as f5d6c3d3",
        "boardgym convert games.game small.othello --to othello",
    )

    source: Positional[Annotated[str, arg(metavar="IN")]]
    """The file to read; - for the standard input."""
    target: Positional[Annotated[str, arg(metavar="OUT"), Output]]
    """The file to write, replacing one that is there; - for the standard output."""
    from_: Annotated[FormatName, arg(name="from")] = "guess"
    """The format of the file to read; by default decided by its suffix, or else by how it starts."""
    to: FormatName = "guess"
    """The format to write (mat and wtb can only be read); by default decided by the suffix, or else a game file."""
    game: str = ""
    """The game that a transcript is of."""
    option: RuleOptions = ()
    """A rule option of a transcript's game; may be given several times."""

    def run(self) -> int:
        """Reads all games, then writes them."""
        reading, writing = ("" if name == "guess" else name for name in (self.from_, self.to))
        game = None
        if self.game or self.option:
            reading = reading or by_suffix(self.source)
            if not reading or not FORMATS[reading].game:
                raise UsageError("--game and --option are for transcripts, by their suffix or --from; other files say them")
            game = load_game(self.game or FORMATS[reading].game, self.option)
        records = list(read_records(self.source, reading, game))
        if not records:
            raise UsageError(f"{self.source} holds no games")
        write_records(records, self.target, writing)
        kept = FORMATS[writing or by_suffix(self.target) or "game"]
        if kept.game and any(record.comments or record.tags or set(record.policies) != {"?"} for record in records):
            say("a transcript holds moves alone: players, comments and tags are left out")
        if self.target != STANDARD:
            say(f"{len(records)} {'game is' if len(records) == 1 else 'games are'} written to {self.target}")
        return 0

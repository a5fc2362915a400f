"""Playing on the studio's page by clicks, as a person does."""

import time
from typing import Any

from playwright.sync_api import Locator, Page

WAIT_S = 30.0


def until(condition: Any, what: str) -> Any:
    """The first true value of a condition. Raises AssertionError after WAIT_S."""
    end = time.monotonic() + WAIT_S
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.03)
    raise AssertionError(f"{what}: not within {WAIT_S:g} s")


class OnPage:
    """A game on a page. The server is asked what is legal, the page alone is acted on."""

    def __init__(self, page: Page, address: str) -> None:
        self.page, self.address = page, address

    @property
    def id(self) -> str:
        """The game that the address names."""
        return self.page.url.rpartition("#/play/")[2]

    @property
    def board(self) -> Locator:
        """The board."""
        return self.page.locator("boardgym-play-game boardgym-board")

    def play(self) -> dict[str, Any]:
        """The game as the server has it."""
        answer = self.page.request.get(f"{self.address}/api/plays/{self.id}")
        assert answer.ok, answer.text()
        play: dict[str, Any] = answer.json()
        return play

    def begin(self, **play: Any) -> "OnPage":
        """Opens a new game, made by the interface that the form uses."""
        self.page.goto(self.address)
        until(lambda: self.page.request.get(f"{self.address}/api/games").ok, "the games are loaded")
        answer = self.page.request.post(f"{self.address}/api/plays", data=play, headers={"Origin": self.address})
        assert answer.status == 201, answer.text()
        self.page.goto(f"{self.address}/#/play/{answer.json()['id']}")
        self.board.wait_for()
        return self

    def mine(self) -> dict[str, Any] | None:
        """The game, once it is a person's turn or over."""
        play = self.play()
        seat = play["state"]["to_play"]
        return play if play["is_over"] or play["seats"][seat]["kind"] == "human" else None

    def turn(self) -> dict[str, Any]:
        """Waits for a person's turn or the end, on the server and on the page."""
        play: dict[str, Any] = until(self.mine, "a person's turn")
        count = len(play["state"]["moves"])
        until(lambda: self.moves() == play["state"]["moves"], f"{count} moves on the page")
        return play

    def moves(self) -> list[str]:
        """The list of moves on the page."""
        return [text.strip() for text in self.page.locator("boardgym-play-moves td button").all_inner_texts()]

    def click_place(self, place: int) -> None:
        """Clicks a place of the board, in its middle."""
        self.board.locator(f'[data-place="{place}"]').click()

    def click(self, action: dict[str, Any], play: dict[str, Any]) -> None:
        """Plays an action by clicks: on its places, and on its button where that is asked for."""
        if not action["clicks"]:
            self.board.get_by_role("button", name=action["move"], exact=True).click()
            return
        places = action["clicks"][0]
        for place in places:
            self.click_place(place)
        same = [one for one in play["state"]["actions"] if any(way[: len(places)] == places for way in one["clicks"])]
        if len(same) > 1:  # the board asks which
            self.board.get_by_role("button", name=action["move"], exact=True).click()

    def play_out(self, wanted: tuple[str, ...] = ()) -> dict[str, Any]:
        """Plays to the end: the wanted moves where they are legal, else the first or the last legal one in turn."""
        for number in range(100):
            play = self.turn()
            if play["is_over"]:
                return play
            actions, count = play["state"]["actions"], len(play["state"]["moves"])
            action = next((one for one in actions if one["move"] in wanted), actions[-(number % 2)])
            self.click(action, play)
            until(lambda count=count: len(self.play()["state"]["moves"]) > count, f"{action['move']} played")
        raise AssertionError("no end after 100 moves")

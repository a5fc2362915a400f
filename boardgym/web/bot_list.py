"""The list of bots as pages see it change: looked at once for all of them, and sent to each in what has changed."""

import asyncio
import json
from collections.abc import AsyncGenerator, Callable
from typing import Any

from boardgym.web.errors import unexpected

LOOK_S = 0.4  # between two looks at what has changed
KEEP_ALIVE_S = 15.0

Listing = dict[str, Any]


class BotList:
    """Looks at the list again and again, while there is anybody who watches it.

    Args:
        look: gives {"bots": [{"id", ...}, ...], "limit": number}, from a thread.
    """

    def __init__(self, look: Callable[[], Listing]) -> None:
        self.look, self.watchers = look, 0
        self.found: dict[str, tuple[str, Any]] = {}  # id -> (as text, bot)
        self.limit = 0
        self._looked = asyncio.Event()  # replaced by another after each look
        self._task: asyncio.Task[None] | None = None

    async def _go_on(self) -> None:
        while self.watchers > 0:
            try:
                listing = await asyncio.to_thread(self.look)
                self.found = {bot["id"]: (json.dumps(bot), bot) for bot in listing["bots"]}
                self.limit = listing["limit"]
                looked, self._looked = self._looked, asyncio.Event()
                looked.set()
            except Exception as error:  # such as of a disk: the next look may do
                unexpected(error)
            await asyncio.sleep(LOOK_S)
        self._task = None

    async def changes(self) -> AsyncGenerator[Listing, None]:
        """First all bots, then those that have changed and the ids of those that are gone; now and then nothing.

        Each is {"is_whole": whether these are all, "bots": [...], "gone": [id, ...], "limit": number}.
        """
        known, limit, is_whole = dict[str, str](), -1, True
        clock = asyncio.get_running_loop().time
        told = clock()
        self.watchers += 1
        try:
            looked = self._looked
            if self._task is None:
                self._task = asyncio.create_task(self._go_on())
                await looked.wait()
            while True:
                looked = self._looked
                bots = [bot for key, (text, bot) in self.found.items() if known.get(key) != text]
                gone = [key for key in known if key not in self.found]
                if is_whole or bots or gone or limit != self.limit or clock() - told > KEEP_ALIVE_S:
                    known, limit, told = {key: text for key, (text, _) in self.found.items()}, self.limit, clock()
                    yield {"is_whole": is_whole, "bots": bots, "gone": gone, "limit": limit}
                    is_whole = False
                await looked.wait()
        finally:
            self.watchers -= 1

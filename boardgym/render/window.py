"""A window for watching games, where pygame-ce is installed and there is a display."""

import importlib
import os
import sys
import weakref
from typing import Any

import numpy as np

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")  # one of these is set where Linux has a display


class Window:
    """Shows pictures one after another. It opens with the first; copies and pickles of it are windows not yet open.

    title: stands in its frame.
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._window: Any = None
        self._clock: Any = None
        self._is_possible = True

    def __reduce__(self) -> Any:
        return Window, (self.title,)

    def can_open(self) -> bool:
        """Whether there are pygame-ce and a display, and its user has not closed the window."""
        has_display = sys.platform != "linux" or any(map(os.environ.get, DISPLAYS))
        return self._is_possible and has_display and _pygame() is not None

    @property
    def is_open(self) -> bool:
        """Whether there is a window on the screen."""
        return self._window is not None

    def show(self, picture: np.ndarray, *, fps: float) -> bool:
        """Shows a picture, uint8 (H, W, 3), no sooner than 1 / fps seconds after the last one.

        Returns:
            False where no window can be opened, and once its user has closed it.
        """
        if not self.can_open():
            return False
        pygame = _pygame()
        if self._window is None:
            try:
                pygame.display.init()
                self._window = pygame.Window(self.title, picture.shape[1::-1])
            except pygame.error:  # no display after all
                self._is_possible = False
                return False
            self._clock = pygame.time.Clock()
            OPEN.add(self)
        _take_events(pygame)
        if not self.is_open:
            return False
        self._window.get_surface().blit(pygame.surfarray.make_surface(picture.swapaxes(0, 1)), (0, 0))
        self._window.flip()
        self._clock.tick(fps)
        return True

    def close(self) -> None:
        """Closes the window; the next picture opens another."""
        if self._window is not None:
            self._window.destroy()
            self._window = None
            OPEN.discard(self)


OPEN: weakref.WeakSet[Window] = weakref.WeakSet()  # the windows on the screen, which have one queue of events in common


def _take_events(pygame: Any) -> None:
    """Closes the windows that their users have closed. Events of windows that are not ours stay in the queue."""
    others = []
    for event in pygame.event.get():
        where = getattr(event, "window", None)
        ours = [window for window in OPEN if window._window is where or event.type == pygame.QUIT]
        if ours and event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
            for window in ours:
                window.close()
                window._is_possible = False
        elif not ours and (where is not None or event.type >= pygame.USEREVENT):  # the rest belongs to nobody
            others.append(event)
    for event in others:
        pygame.event.post(event)


def _pygame() -> Any:
    """The module of pygame-ce; None where it is missing, or is the older pygame, which knows one window only."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # it would print a greeting
    try:
        pygame = importlib.import_module("pygame")
    except ImportError:
        return None
    return pygame if hasattr(pygame, "Window") else None

"""A board on a page, without a server: what it shows comes from Python, and what is clicked on it goes back there."""

from importlib.resources import files

from boardgym.core.description import describe_board, describe_game

ADDRESS = "http://board.test/"
STATIC = files("boardgym.web") / "static"
POLICY = "default-src 'self'"  # no inline script or style, as the studio has it
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="stylesheet" href="page.css">
<script type="module" src="table.js"></script></head><body><main><h1>A board</h1></main></body></html>"""
SCRIPT = """
import "./board.js";
window.told = [];
window.board = document.createElement("boardgym-board");
for (const name of ["play", "refused", "pick"])
  document.addEventListener(name, (event) => window.told.push([name, event.detail]));
document.querySelector("main").append(window.board);
"""
MIDDLES = """async (game) => {
  Object.assign(board, game);
  await board.updateComplete;
  return board.game.places.map((_, place) => {
    const area = board.renderRoot.querySelector(`[data-place="${place}"]`).getBoundingClientRect();
    return [area.x + area.width / 2, area.y + area.height / 2];
  });
}"""


def serve(page):
    """Opens the harness. Every other address fails."""
    pages = {"": (HTML, "text/html"), "table.js": (SCRIPT, "text/javascript")}
    for name, kind in (("board.js", "text/javascript"), ("page.css", "text/css")):
        pages[name] = ((STATIC / name).read_text(encoding="utf-8"), kind)

    def answer(route):
        body, kind = pages[route.request.url.removeprefix(ADDRESS)]
        route.fulfill(body=body, content_type=f"{kind}; charset=utf-8", headers={"Content-Security-Policy": POLICY})

    page.route("**/*", lambda route: route.abort())
    page.route(f"{ADDRESS}{{,board.js,table.js,page.css}}", answer)
    page.goto(ADDRESS)
    page.wait_for_function("window.board?.isConnected")


class Table:
    """A page on which a game is played.

    middles: of the places, in pixels.
    """

    def __init__(self, page, board, **properties):
        self.page, self.board = page, board
        serve(page)
        state = describe_board(board)
        first = {"game": describe_game(board.game), "state": state, "interactive": True, **properties}
        self.middles = page.evaluate(MIDDLES, first)
        self.game, self.state = first["game"], state

    def show(self, **properties):
        """Shows the board as it is now, and sets other properties."""
        self.state = describe_board(self.board)
        self.page.evaluate(
            "async (given) => { Object.assign(board, given); await board.updateComplete; }", {"state": self.state, **properties}
        )

    def told(self):
        """The events since the last call: (name, detail)."""
        return [tuple(event) for event in self.page.evaluate("told.splice(0)")]

    def click(self, place):
        self.page.mouse.click(*self.middles[place])

    def button(self, text):
        return self.page.get_by_role("button", name=text, exact=True)

    def place(self, name):
        """The index of a place by its name."""
        return next(index for index, place in enumerate(self.game["places"]) if place["name"] == name)

    def action(self, move):
        """What the state says of a legal move."""
        return next(action for action in self.state["actions"] if action["move"] == move)

    def click_action(self, action, way=0):
        """Clicks the places of an action, and where several share them the button that names it."""
        clicks = action["clicks"]
        for place in clicks[way] if clicks else ():
            self.click(place)
        shared = [other for other in self.state["actions"] if clicks and clicks[way] in other["clicks"]]
        if not clicks or len(shared) > 1:
            self.button(action["move"]).click()

    def push(self, action):
        """Plays what was clicked, as whoever listens to the page would."""
        assert self.told() == [("play", {"action": action["action"]})]
        self.board.push(action["action"])
        self.show()

    def text(self):
        """All that can be read on the board and beside it."""
        return self.page.evaluate("board.renderRoot.textContent")

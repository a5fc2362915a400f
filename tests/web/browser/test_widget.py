"""The widgets of notebooks: what Python says of them is drawn in a browser, and what is clicked there is played in Python."""

from importlib.resources import files

from playwright.sync_api import expect

from boardgym import Board
from boardgym.baselines.arena.record import record_of
from boardgym.web.widget import BoardWidget, ReplayWidget

ADDRESS = "http://notebook.test/"
HTML = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A notebook</title></head><body></body></html>'
MODEL = """async ([name, state]) => {
  const { default: widget } = await import(`./widget.js?${name}`);  // anew for each widget, as a notebook does
  const model = {
    state, sent: [], listeners: {},
    get: (name) => model.state[name],
    set: (name, value) => { model.state[name] = value; },
    save_changes: () => model.sent.push({ ...model.state }),
    send: (content) => model.sent.push(content),
    on: (event, listener) => (model.listeners[event] ??= new Set()).add(listener),
    off: (event, listener) => model.listeners[event].delete(listener),
    change: (state) => {
      Object.assign(model.state, state);
      for (const name of Object.keys(state)) for (const listener of model.listeners[`change:${name}`] ?? []) listener();
    },
  };
  const el = document.createElement("section");
  el.id = name;
  document.body.append(el);
  (window.models ??= {})[name] = Object.assign(model, { end: widget.render({ model, el }) });
}"""


def shown(page, name, widget):
    """Draws a widget in the element of this id."""
    state = {trait: getattr(widget, trait) for trait in widget.keys if not trait.startswith("_")}
    for other in ("layout", "tabbable", "tooltip"):
        state.pop(other, None)
    page.evaluate(MODEL, [name, state])
    return page.locator(f"#{name}")


def open_notebook(page):
    """A page with the code of the widgets, and nothing else within reach."""
    code = (files("boardgym.web") / "static" / "widget.js").read_text(encoding="utf-8")
    page.route("**/*", lambda route: route.abort())
    page.route(f"{ADDRESS}widget.js?*", lambda route: route.fulfill(body=code, content_type="text/javascript"))
    page.route(ADDRESS, lambda route: route.fulfill(body=HTML, content_type="text/html"))
    page.goto(ADDRESS)


def test_a_board_is_followed_and_played_on(new_page):
    page, replies = new_page(), []
    board = Board("TicTacToe-v0", compiled=False)
    widget = BoardWidget(board, on_move=lambda board: replies.append(board.push_move("a1")))
    open_notebook(page)
    found = shown(page, "board", widget)
    expect(found.locator("boardgym-board")).to_contain_text("x to play")
    found.locator('[data-place="4"]').click()
    message = page.evaluate("models.board.sent[0]")
    assert message == {"action": 4, "ply": 0}
    for _ in range(2):  # the second one comes late, and plays nothing
        widget._handle_custom_msg(message, [])
    assert board.moves() == ["b2", "a1"]
    assert len(replies) == 1
    for bad in ({}, {"action": 4, "ply": 2}, {"action": "x", "ply": 2}, {"action": None, "ply": 2}, "text", None):
        widget._handle_custom_msg(bad, [])
    assert board.moves() == ["b2", "a1"]
    board.push_move("c3")
    widget.refresh()
    widget.arrows = [1]
    page.evaluate("state => models.board.change(state)", {"state": widget.state, "arrows": widget.arrows})
    expect(found.locator("boardgym-board")).to_contain_text("o to play")
    assert page.evaluate("document.querySelector('boardgym-board').state.moves") == ["b2", "a1", "c3"]
    board.push_move("c1")
    widget.refresh()
    assert widget.arrows == []
    page.evaluate("models.board.end()")
    expect(found.locator("boardgym-board")).to_have_count(0)


def test_two_widgets_on_a_page_and_a_replay(new_page):
    page = new_page()
    board = Board("ConnectFour-v0", compiled=False)
    board.play(["4", "4", "3", "5"])
    record = record_of(board, ("human", "human"), deterministic=(True, True), seed=0, opening_plies=0)
    open_notebook(page)
    shown(page, "board", BoardWidget(board, interactive=False))
    found = shown(page, "replay", ReplayWidget(record, index=1))
    expect(page.locator("boardgym-board")).to_have_count(2)
    expect(found.locator(".count")).to_have_text("1 / 4")
    found.get_by_role("button", name="Forward").click()
    expect(found.locator(".count")).to_have_text("2 / 4")
    assert page.evaluate("models.replay.sent.at(-1).index") == 2
    page.evaluate("models.replay.change({ index: 4 })")
    expect(found.locator(".count")).to_have_text("4 / 4")

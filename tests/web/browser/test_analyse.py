"""The room Analyse in a real browser: exact values on the columns, lines that are clicked, the graph, mistakes in words."""

import json
import re

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from boardgym import Board
from boardgym.baselines import play_game
from boardgym.baselines.arena.formats import write_records
from boardgym.baselines.perfect.policy import solver_for
from boardgym.core.policy_spec import make_policy

pytestmark = pytest.mark.plain
LATE = "476324344552373314345271"  # Connect Four with 18 cells empty, which the solver answers at once
SERIOUS = ("serious", "critical")


def open_room(page: Page, studio, **query: str) -> None:
    words = "&".join(f"{name}={value.replace(' ', '+')}" for name, value in query.items())
    page.goto(f"{studio.address}/#/analyse?{words}")
    page.reload()
    page.locator("boardgym-analyse-room boardgym-board").wait_for()


def test_exact_values_stand_on_the_columns_and_a_line_is_played(page, studio):
    open_room(page, studio, game="ConnectFour", moves=" ".join(LATE))
    board = Board("ConnectFour")
    board.play(list(LATE))
    known = solver_for(board.game).solve(board, np.zeros(1, np.int64))
    perfect = page.locator("boardgym-analyse-panel").first
    expect(perfect.get_by_role("heading", name="Perfect play")).to_be_visible()
    tags = page.locator("boardgym-board g.tag")
    expect(tags).to_have_count(len(known.scores))
    expect(perfect.locator("li")).to_have_count(2)
    expect(perfect.get_by_role("button", name="Search", exact=True)).to_be_visible()  # it has ended
    shown = page.locator("boardgym-board").evaluate("board => board.values")
    assert {int(action): value for action, value in shown.items()} == known.scores
    best = board.move_text(known.best)
    expect(perfect.locator(".value")).to_have_text(re.compile("wins in 3"))
    perfect.locator("li").first.locator("button").nth(1).click()  # two moves of the best line
    moves = page.locator("boardgym-analyse-moves button.move")
    expect(moves).to_have_count(len(LATE) + 2)
    assert moves.nth(len(LATE)).inner_text().strip() == best
    expect(page).to_have_url(re.compile(rf"moves=\S*{best}"))
    page.get_by_role("button", name="One move back").click()
    expect(moves.nth(len(LATE))).to_have_attribute("aria-current", "true")
    expect(page).to_have_url(re.compile(rf"at={len(LATE) + 1}"))


def test_a_mistake_is_named_and_the_graph_drawn(page, studio):
    open_room(page, studio, game="TicTacToe", moves="a1 b1 c3 b2 b3")
    page.get_by_role("button", name="Find the mistakes").click()
    mistakes = page.locator(".mistakes li")
    expect(mistakes).to_have_count(2)
    expect(mistakes.last).to_contain_text("c3 turned a win into a draw; a3 was better")
    expect(page.locator("boardgym-analyse-graph canvas")).to_be_visible()
    values = page.locator("boardgym-analyse-graph").evaluate("graph => graph.nodes.map((node) => node.judged.values[0])")
    assert values == [0, 0, 1, 0, 0, 0]
    mistakes.first.get_by_role("button").click()
    expect(page.locator("boardgym-analyse-moves [aria-current=true]")).to_have_text(re.compile(r"b1\s*\?"))
    expect(page).to_have_url(re.compile("at=2"))
    found = Axe().run(page).response["violations"]
    assert [json.dumps(fault)[:400] for fault in found if fault["impact"] in SERIOUS] == []


def test_a_variation_is_tried_on_the_board_and_taken_away(page, studio):
    open_room(page, studio, game="TicTacToe", moves="b2 a1", at="1")
    field = page.get_by_role("textbox", name="Type a move")
    field.fill("a2")
    field.press("Enter")
    tried = page.locator("boardgym-analyse-moves .variation")
    expect(tried).to_have_text(re.compile(r"2\.\s*a2"))
    expect(page).to_have_url(re.compile(r"moves=b2\+a2$"))
    page.get_by_role("button", name="Remove this variation").click()
    expect(tried).to_have_count(0)
    expect(page).to_have_url(re.compile(r"moves=b2\+a1&at=1$"))


def test_a_search_is_watched_beside_another(page, studio):
    open_room(page, studio, game="TicTacToe", moves="b2")
    search = page.locator("boardgym-analyse-panel").nth(1)
    search.get_by_label("Policy").fill("minimax:4")
    search.get_by_label("Policy").press("Enter")
    search.get_by_label("Time").select_option("0")
    expect(search.locator(".effort")).to_contain_text("depth 4")
    expect(search.locator("li")).to_have_count(3)
    page.get_by_role("button", name="Compare with another agent").click()
    other = page.locator("boardgym-analyse-panel").nth(2)
    other.get_by_label("Policy").fill("random")
    other.get_by_label("Policy").press("Enter")
    expect(other.locator(".error")).to_contain_text("tells no values")
    other.get_by_label("Policy").fill("uct:100")
    other.get_by_label("Policy").press("Enter")
    expect(page.get_by_text("their values differ by")).to_be_visible()


def test_openings_and_the_tree_of_a_search(page, studio, tmp_path):
    player = make_policy("random", "TicTacToe")
    games = [play_game(Board("TicTacToe"), [player, player], seed=seed) for seed in range(20)]
    write_records(games, str(tmp_path / "games.game"))
    open_room(page, studio, game="TicTacToe")
    page.get_by_role("button", name="Openings").click()
    openings = page.locator("boardgym-analyse-openings")
    openings.get_by_label("A file of games").set_input_files(tmp_path / "games.game")
    expect(openings).to_contain_text("20 games")
    firsts = [game.moves[0] for game in games]
    rows = openings.locator("tbody tr")
    expect(rows).to_have_count(len(set(firsts)))
    assert int(rows.first.locator("td").nth(1).inner_text()) == max(map(firsts.count, firsts))
    rows.first.get_by_role("button").click()
    expect(page.locator("boardgym-analyse-moves button.move")).to_have_count(1)
    page.get_by_role("button", name="Search tree").click()
    page.get_by_role("button", name="Show its tree").click()
    tree = page.locator("boardgym-analyse-search-tree")
    expect(tree.locator("li")).to_have_count(9)  # the root and its 8 moves
    tree.get_by_role("button", name="Moves after").nth(1).click()
    expect(tree.locator("li")).to_have_count(16)  # and 7 moves after the first of them


def test_what_an_address_says_wrongly_is_told(page, studio):
    open_room(page, studio, game="TicTacToe", moves="z9")
    expect(page.locator("boardgym-analyse-room .error")).to_contain_text("z9")
    expect(page.locator("boardgym-board g.tag").first).to_be_visible()  # the standard start is analysed


def test_arrow_keys_step_through_the_line_though_the_board_has_been_clicked(page, studio):
    open_room(page, studio, game="TicTacToe")
    for count, place in enumerate((4, 0), 1):
        page.locator(f'boardgym-board [data-place="{place}"]').click()
        expect(page.locator("boardgym-board [data-spot]")).to_have_count(count)
    page.keyboard.press("ArrowLeft")
    expect(page.locator("boardgym-board [data-spot]")).to_have_count(1)
    page.keyboard.press("Home")
    expect(page.locator("boardgym-board [data-spot]")).to_have_count(0)
    page.keyboard.press("End")
    expect(page.locator("boardgym-board [data-spot]")).to_have_count(2)


def test_what_cannot_be_begun_leaves_what_is_analysed(page, studio):
    open_room(page, studio, game="TicTacToe", moves="b2 a1")
    page.evaluate("location.hash = '#/analyse?game=TicTacToe&moves=b2+b2'")
    expect(page.get_by_role("alert")).to_contain_text("b2")
    expect(page.locator("boardgym-board [data-spot]")).to_have_count(2)
    expect(page).to_have_url(re.compile(r"moves=b2\+a1$"))

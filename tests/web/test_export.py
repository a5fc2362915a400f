"""`boardgym replay --html`: what a page may hold of a stranger's record."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from boardgym import Board
from boardgym.baselines.arena.record import record_of
from boardgym.cli import main
from boardgym.web.export import json_in_html, replay_data, replay_page

HOSTILE = "</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>\u2028\u2029&amp;\u202e\ud800"
MOVES = ("a1", "b2", "c3")


def record(**changes):
    board = Board("TicTacToe", compiled=False)
    board.play(MOVES)
    return replace(record_of(board, ("greedy", "uct:5"), deterministic=(True, True)), **changes)


class Reader(HTMLParser):
    """The elements of a page, in order, with their attributes; the texts of scripts."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.elements, self.texts = [], {}
        self.feed(page.decode("utf-8"))

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.texts.setdefault(len(self.elements) - 1, []).append(data)

    def text(self, tag):
        """Of the last element of a kind."""
        index = max(k for k, (name, _) in enumerate(self.elements) if name == tag)
        return "".join(self.texts[index])


def test_a_strangers_record_adds_no_element_to_the_page():
    plain = Reader(replay_page(record()))
    hostile = replay_page(record(policies=(HOSTILE, "x"), tags={HOSTILE: HOSTILE}, comments=((1, HOSTILE),), message=HOSTILE))
    page = Reader(hostile)
    assert page.elements == plain.elements
    assert "</script><script>alert(1)" in page.text("p")  # as text
    assert "\u202e" not in hostile.decode()
    data = json.loads(page.text("script"))
    assert data["comments"][0][1].startswith("</script><script>")


def test_its_policy_allows_no_other_script():
    page = Reader(replay_page(record()))
    policy = next(attributes["content"] for _, attributes in page.elements if "http-equiv" in attributes)
    assert re.fullmatch(
        r"default-src 'none'; base-uri 'none'; script-src 'sha256-[\w+/]{43}='; style-src 'sha256-[\w+/]{43}='", policy
    )
    assert not [attributes for _, attributes in page.elements if {"src", "style", "onload"} & set(attributes)]


def test_json_in_html_is_json():
    text = json_in_html({"name": HOSTILE})
    assert text.isascii()
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": HOSTILE}


def test_what_the_page_shows():
    data = replay_data(record(comments=((2, "good"),)))
    assert data["comments"] == [[2, "good"]]
    assert [state["ply"] for state in data["states"]] == [0, 1, 2, 3]
    assert data["states"][-1]["moves"] == [*MOVES]
    assert data["pieces"] == [{"kind": "cross", "colour": 0, "label": ""}, {"kind": "ring", "colour": 1, "label": ""}]
    assert data["states"][2]["pieces"] == [-1, -1, -1, -1, 1, -1, 0, -1, -1]


@pytest.mark.parametrize("command", ["replay", "export"])
def test_the_command_writes_one_game_of_several(capsys, tmp_path, command):
    path, out = tmp_path / "games.jsonl", tmp_path / "game.html"
    path.write_text("".join(f"{record(tags={'Event': name}).to_json()}\n" for name in ("one", "two")))
    assert main([command, str(path), "--number", "2", "--html", str(out)]) == 0
    assert capsys.readouterr().err == f"written: {out}\n"
    assert "Event: two" in Reader(out.read_bytes()).text("p")
    assert sorted(tmp_path.iterdir()) == [out, path]

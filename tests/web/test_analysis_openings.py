"""The studio's finished games, of which openings are counted."""

from boardgym.core.game import get_game
from boardgym.web.record_room import Records
from tests.studio import new_play, studio_client


def test_finished_games_are_read_while_somebody_writes_and_are_of_the_options_alone(tmp_path):
    with studio_client(tmp_path) as client:
        small = {"game": "ConnectFour", "options": {"height": 4, "width": 4}}
        for rules, moves, last in (({}, "a1 b1 a2 b2", "a3"), (small, "1 2 1 2 1 2", "1"), ({}, "b2", None)):
            play = new_play(client, **rules, moves=moves.split())
            if last is not None:
                body = {"ply": play["state"]["ply"], "move": last}
                assert client.post(f"/api/plays/{play['id']}/moves", json=body).status_code == 200
        upload = client.post("/api/records/files?name=x.game", content=b'[Game "TicTacToe-v0"]\n1. a1 b1 2. b2 c1 3. c3 1-0\n')
        assert upload.status_code == 201, upload.text
        counted = client.post("/api/analysis/openings-of-plays", json={"game": "TicTacToe"}).json()
        assert (counted["games"], counted["others"]) == (2, 0)
        assert client.post("/api/analysis/openings-of-plays", json=small).json()["games"] == 1
        assert client.post("/api/analysis/openings-of-plays", json={"game": "ConnectFour"}).status_code == 422
        store = client.app.state.studio.store
        with store.session():
            assert len(Records(store).finished(get_game("TicTacToe"), 1)) == 1

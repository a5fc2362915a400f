"""The studio's finished games, of which openings are counted, read from its database."""

import pytest
from sqlalchemy import insert, select

from boardgym.web import analysis_openings
from boardgym.web.play_rows import PLAYS
from tests.studio import new_play, studio_client


def test_finished_games_are_read_while_somebody_writes_and_are_of_the_options_alone(tmp_path):
    with studio_client(tmp_path) as client:
        id = new_play(client, moves=["a1", "b1", "a2", "b2"])["id"]
        assert client.post(f"/api/plays/{id}/moves", json={"ply": 4, "move": "a3"}).status_code == 200
        store = client.app.state.studio.store
        with store.session() as session:
            row = dict(session.execute(select(PLAYS).where(PLAYS.c.id == id)).one()._mapping)
            later = {**row, "changed": "9999"}
            others = [{**later, "id": f"other{k}", "options": {**row["options"], "other": 1}} for k in range(3)]
            session.execute(insert(PLAYS), [*others, {**later, "id": "unmoved"}])
        with store.session(), pytest.MonkeyPatch.context() as patch:
            patch.setattr(analysis_openings, "MOST_PLAYS", 2)
            found = analysis_openings.finished(store.path, row["game"], row["options"])
    assert [(one.id, actions) for one, actions in found] == [("unmoved", []), (id, [6, 7, 3, 4, 0])]

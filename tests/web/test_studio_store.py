"""The database: its schema is that of the models, a full disk leaves nothing half-written, another server finds all games."""

import gc
import multiprocessing
import sqlite3
import threading

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from fastapi.testclient import TestClient
from sqlalchemy import select, text

from boardgym.web.app import create_app
from boardgym.web.models import Base, MoveRow, PlayRow
from boardgym.web.policy_worker import preparing
from boardgym.web.store import FILE, MIGRATIONS, Store, latest, open_engine, upgrade, version_of
from tests.studio import later, new_play, studio_client, wait_until


def test_the_migrations_make_what_the_models_say(tmp_path):
    old = open_engine(tmp_path / "old.sqlite")  # a new database is made of the models, an old one goes the steps
    upgrade(old)
    store = Store(tmp_path)
    for engine in (old, store.engine):
        with engine.connect() as connection:
            context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
            assert compare_metadata(context, Base.metadata) == []
        scripts = ScriptDirectory(str(MIGRATIONS))
        assert version_of(engine) == latest() == scripts.get_current_head()
    old.dispose()
    store.close()
    with sqlite3.connect(tmp_path / FILE) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection.execute("SELECT count(*) FROM alembic_version").fetchone() == (1,)


def test_a_transaction_that_fails_leaves_nothing(tmp_path):
    store = Store(tmp_path)

    def half(session):
        session.execute(text("CREATE TABLE half (x)"))
        raise ValueError("in the middle")

    with pytest.raises(ValueError, match="middle"):
        store.do(half)
    with store.session() as session:
        assert session.execute(text("SELECT name FROM sqlite_master WHERE name = 'half'")).all() == []
    store.close()


def test_a_studio_that_is_left_while_it_loads_closes_its_database(tmp_path):
    app = create_app(tmp_path, "token")
    with TestClient(app):
        pass
    studio = app.state.studio
    assert (studio.is_ready, studio.failure) == (False, "")
    assert "connection" not in vars(studio.store.engine.pool)


def test_a_studio_leaves_its_process_as_it_was(tmp_path):
    """A test's, or a notebook's: no thread, process or setting of the garbage collector stays."""
    preparing()  # one that stays for good, of the first studio
    before = (
        {*threading.enumerate()},
        {*multiprocessing.active_children()},
        gc.isenabled(),
        gc.get_threshold(),
        gc.get_freeze_count(),
    )
    with studio_client(tmp_path) as client:
        play = new_play(client, seats=[{"kind": "policy", "spec": "uct:5"}, {"kind": "human"}])
        later(client, play)
        client.get("/api/analysis/tree", params={"game": "TicTacToe", "policy": "minimax:1"})
        assert {*multiprocessing.active_children()} > before[1]

    def now():
        return {*threading.enumerate()}, {*multiprocessing.active_children()}

    wait_until(lambda: now()[0] <= before[0] and now()[1] <= before[1])
    assert (gc.isenabled(), gc.get_threshold(), gc.get_freeze_count()) == before[2:]


def test_a_part_that_fails_at_the_end_leaves_no_other_open(tmp_path, caplog):
    def fail():
        raise OSError("it does not end")

    with studio_client(tmp_path) as client:
        studio = client.app.state.studio
        assert "connection" in vars(studio.store.engine.pool)
        studio.at_end.append(fail)
    assert "connection" not in vars(studio.store.engine.pool)
    assert "it does not end" in caplog.text


def test_a_server_that_is_started_again_finds_all_games(tmp_path):
    with studio_client(tmp_path) as client:
        play = new_play(client, moves=["b2"], clock={"seconds": 100.0})
        play = client.post(f"/api/plays/{play['id']}/moves", json={"ply": 1, "move": "a1"}).json()
        resigned = new_play(client, game="Backgammon-v0", seats=[{"kind": "human"}] * 2, seed=4)
        resigned = client.post(f"/api/plays/{resigned['id']}/resign").json()
        waiting = new_play(client, seats=[{"kind": "policy", "spec": "random"}, {"kind": "human"}])
        back = client.post(f"/api/plays/{new_play(client, moves=['b2'])['id']}/undo")
        assert back.status_code == 200
        undone = back.json()
    with studio_client(tmp_path) as client:
        for known in (play, resigned, undone):
            found = client.get(f"/api/plays/{known['id']}").json()
            assert {**found, "clocks": None} == {**known, "clocks": None}
        assert client.get(f"/api/plays/{play['id']}").json()["clocks"]["left"][0] <= 100.0
        wait_until(lambda: client.get(f"/api/plays/{waiting['id']}").json()["state"]["ply"] == 1)
        assert len(client.get("/api/plays").json()) == 4


def test_a_policy_that_was_to_play_is_asked_again(tmp_path):
    """Without a page that looks at the game; and it plays what it would have played."""
    with studio_client(tmp_path) as client:
        seats = [{"kind": "human"}, {"kind": "policy", "spec": "random"}]
        play = new_play(client, seats=seats, seed=1, moves=["b2"])
        path = f"/api/plays/{play['id']}"
        wait_until(lambda: client.get(path).json()["state"]["ply"] == 2)
        moves = client.get(path).json()["state"]["moves"]
        store = client.app.state.studio.store
        with store.session() as session:  # as if it had been killed before the policy's move
            session.execute(text("DELETE FROM moves WHERE number = 1"))
            session.execute(text("UPDATE plays SET waits_for = 'policy', ply = 1"))
    with studio_client(tmp_path) as client:
        store = client.app.state.studio.store

        def rows():
            with store.session() as session:
                return session.scalars(select(MoveRow.action)).all()

        wait_until(lambda: len(rows()) == 2)
        assert client.get(path).json()["state"]["moves"] == moves


def test_a_full_disk_is_said_and_nothing_is_half_written(tmp_path):
    with studio_client(tmp_path) as client:
        play = new_play(client)
        store = client.app.state.studio.store

        def limit(pages):
            with store.engine.connect() as connection:
                used = connection.execute(text("PRAGMA page_count")).scalar()
                connection.execute(text(f"PRAGMA max_page_count = {used if pages is None else pages}"))

        limit(None)
        statuses = []
        for _ in range(200):
            response = client.post("/api/plays", json={"game": "TicTacToe-v0", "seats": [{"kind": "human"}] * 2})
            statuses.append(response.status_code)
            if response.status_code != 201:
                break
        assert statuses[-1] == 507
        assert response.json()["error"].startswith("nothing was saved: database or disk is full")
        with store.session() as session:
            saved = session.scalars(select(PlayRow.id)).all()
        assert len(saved) == 1 + statuses.count(201)
        response = client.post(f"/api/plays/{play['id']}/moves", json={"ply": 0, "action": 4})
        assert response.status_code in (200, 507)
        limit(1_000_000)
        expected = int(response.status_code == 200)
        assert client.get(f"/api/plays/{play['id']}").json()["state"]["ply"] == expected
        again = client.post(f"/api/plays/{play['id']}/moves", json={"ply": expected, "action": 0})
        assert again.status_code == 200
        assert len(client.get("/api/plays").json()) == len(saved)

"""The digest of all sources, by which studies and trainings tell what they were made with."""

import shutil

import pytest

from boardgym.core import sources


def test_an_edit_of_any_source_of_a_room_changes_it(tmp_path, monkeypatch):
    package = tmp_path / "boardgym"
    shutil.copytree(sources.PACKAGE, package, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(sources, "PACKAGE", package)
    key = sources.source_digest
    assert key() == sources.SOURCES  # the place does not count
    keys = {key()}
    for room, file in (
        ("games", "tic_tac_toe.py"),
        ("core", "frames.py"),
        ("compile", "store.py"),
        ("baselines", "players/simple.py"),
        ("studies", "jobs.py"),
    ):
        path = package / room / file
        original = path.read_text()
        path.write_text(original + "\n")
        keys.add(key())
        path.write_text(original)
    (package / "games" / "new.py").write_text("")
    keys.add(key())
    assert len(keys) == 7
    (package / "games" / "new.py").unlink()
    (package / "__init__.py").write_text("# holds no kernels\n")
    assert key() == sources.SOURCES
    (package / "baselines").rename(tmp_path / "baselines")
    (package / "baselines").write_text("../baselines")  # a link as it lies where the disk has none
    assert key() == sources.SOURCES
    shutil.rmtree(tmp_path / "baselines")
    with pytest.raises(ImportError, match="sources of"):
        key()

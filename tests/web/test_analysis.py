"""The room Analyse: live search over a WebSocket, games judged, trees and openings; on an app with this router alone."""

import json
import time

import pytest

fastapi = pytest.importorskip("fastapi")
from starlette.testclient import TestClient  # noqa: E402

from boardgym import Board, play_game  # noqa: E402
from boardgym.baselines.perfect.policy import solver_for  # noqa: E402
from boardgym.web import analysis  # noqa: E402
from boardgym.web.errors import add_handlers  # noqa: E402

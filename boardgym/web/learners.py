"""What can be trained, as forms: `/api/learners`."""

from dataclasses import asdict
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse

from boardgym.cli import COMMANDS
from boardgym.core.errors import BoardgymError
from boardgym.web import wisebots
from boardgym.web.bot_history import bots
from boardgym.web.errors import UNPROCESSABLE, StudioError, answer
from boardgym.web.forms import PREFIX, FormError, LearnerForm, learners

router = APIRouter(prefix="/api")


@router.get("/learners")
def list_learners() -> list[dict[str, str]]:
    """All forms by name, the Create-Bot form of Wisebots first; each is at /api/learners/NAME."""
    named = [(name, name, COMMANDS[PREFIX + name].summary) for name in learners()]
    first = (wisebots.NAME, "Create bot (Wisebots)", "a bot as the study of Pessimistic Q-learning makes it")
    return [{"name": name, "title": title, "help": text} for name, title, text in (first, *named)]


@router.get("/learners/{name}", response_model=None)
def one_form(request: Request, name: str, game: str = "", preset: str = "") -> dict[str, Any] | JSONResponse:
    """A form. game, preset: as they are filled, where the defaults of other fields depend on them."""
    try:
        form: LearnerForm = bots(request).form(name, {"game": game, "preset": preset})
    except FormError as error:
        return answer(UNPROCESSABLE, str(error), errors=error.errors)
    except ModuleNotFoundError as error:
        raise StudioError(UNPROCESSABLE, f"this learner needs {error.name}: pip install 'boardgym[sb3]'") from None
    except BoardgymError as error:
        raise StudioError(UNPROCESSABLE, str(error)) from None
    return asdict(form)

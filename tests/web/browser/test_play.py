"""The room Play in a real browser: games of every bundled game by clicks, take back, hint, set-up, two pages, a killed server."""

import json
import re
import shutil

import pytest
from playwright.sync_api import expect

from tests.cli.users_nim import __file__ as NIM
from tests.web.browser.playing import OnPage, until

STUDIO = ("--game", f"{NIM}:Nim-v0")
YOU, BOT = {"kind": "human", "spec": ""}, {"kind": "policy", "spec": "random"}

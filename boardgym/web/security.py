"""Who may talk to the studio: its own page in this machine's browsers, and programs that have the token.

A browser shows a user's every page to the local servers of the same machine, so the address alone is no protection. Each
request must name this server (Host: no other name may be made to point here), come from its own page (Origin and
Sec-Fetch-Site), and hold a key: the session cookie that opening `/?token=...` sets, or `Authorization: Bearer TOKEN`.
Sizes are limited, and the rate of each session.
"""

import asyncio
import hashlib
import hmac
import ipaddress
import re
import secrets
import time
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs

from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from boardgym.web import pages
from boardgym.web.errors import FORBIDDEN, TOO_LARGE, answer, said_by_database, unexpected

MOST_BYTES = 1 << 20  # of a body
UPLOADS = {"/api/agents": 64 << 20, "/api/analysis/openings": 8 << 20, "/api/records/files": 8 << 20}  # address -> bytes
OPEN = ("/static/", "/favicon.ico")  # parts of the page that tell nothing
UNAUTHORISED, TOO_MANY = 401, 429
SAFE = ("GET", "HEAD", "OPTIONS")
RATE, BURST = 50.0, 200.0  # requests a second of a session, and how many at once
LOGIN_RATE, LOGIN_BURST = 0.2, 5.0  # passwords tried a second from one address, and how many at once
LOGINS_RATE, LOGINS_BURST = 2.0, 50.0  # by all together
MOST_SESSIONS = 10_000  # sessions, and addresses of logins, whose rates are remembered
DAYS = 30  # that a session lasts
ONCE_S = 60.0  # that a token which opens once is valid
HOST = re.compile(r"(\[[^\]]*\]|[^:]*)(?::(\d+))?")  # name and port of a Host header

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # without a referrer, browsers send forms with the origin "null"
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


@dataclass
class Bucket:
    """Allows `rate` requests a second, `burst` at once."""

    rate: float
    burst: float
    left: float = 0.0
    at: float = 0.0

    def take(self, now: float) -> float:
        """Takes one, and returns 0; or how many seconds to wait."""
        self.left = self.burst if not self.at else min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left >= 1.0:
            self.left -= 1.0
            return 0.0
        return (1.0 - self.left) / self.rate


@dataclass
class Buckets:
    """A bucket for each name; of more than MOST_SESSIONS the one that was used least lately is forgotten."""

    rate: float
    burst: float
    known: OrderedDict[str, Bucket] = field(default_factory=OrderedDict)

    def take(self, name: str, now: float) -> float:
        """Takes one of a name's bucket, as `Bucket.take`."""
        bucket = self.known.pop(name, None) or Bucket(self.rate, self.burst)
        self.known[name] = bucket
        while len(self.known) > MOST_SESSIONS:
            self.known.popitem(last=False)
        return bucket.take(now)


@dataclass
class Guard:
    """What a server demands.

    Attributes:
        token: what opens it.
        host, port: where it listens.
        password: that people without the token give, where `host` is not of this machine alone; empty: there is none.
        once: a token that opens a session once, within a minute of the start; empty: there is none. The browser is opened with
            it, since all users of a machine see the arguments of its processes.
    """

    token: str
    port: int
    host: str = "127.0.0.1"
    password: str = ""
    once: str = ""
    once_until: float = field(default_factory=lambda: time.monotonic() + ONCE_S)
    sessions: Buckets = field(default_factory=lambda: Buckets(RATE, BURST))
    logins: Buckets = field(default_factory=lambda: Buckets(LOGIN_RATE, LOGIN_BURST))
    all_logins: Bucket = field(default_factory=lambda: Bucket(LOGINS_RATE, LOGINS_BURST))

    @property
    def cookie(self) -> str:
        """The name of the session's cookie: browsers do not keep those of different ports apart."""
        return f"boardgym-{self.port}"

    def knows_host(self, text: str) -> bool:
        """Whether a Host header names this server."""
        match = HOST.fullmatch(text)
        if match is None or (match[2] or "80") != str(self.port):
            return False
        name = match[1]
        if name in ("127.0.0.1", "localhost", "[::1]") or name.strip("[]") == self.host:
            return True
        return self.host in ("0.0.0.0", "::") and is_address(name.strip("[]"))

    def is_token(self, text: str) -> bool:
        """Compared in a time that tells nothing."""
        return hmac.compare_digest(digest(text), digest(self.token))

    def is_password(self, text: str) -> bool:
        """The same of the password."""
        return bool(self.password) and hmac.compare_digest(digest(text), digest(self.password))

    def takes_once(self, text: str) -> bool:
        """Whether this is the token that opens once, which it does not do again."""
        if not self.once or time.monotonic() > self.once_until or not hmac.compare_digest(digest(text), digest(self.once)):
            return False
        self.once = ""
        return True

    def offer(self) -> str:
        """A new token that opens once, within a minute; one that was offered before is no longer valid."""
        self.once, self.once_until = secrets.token_urlsafe(32), time.monotonic() + ONCE_S
        return self.once

    def new_session(self) -> str:
        """The cookie of a new session: its number, when it began, and a signature."""
        signed = f"{secrets.token_urlsafe(12)}.{int(time.time())}"
        return f"{signed}.{self._signature(signed)}"

    def session_of(self, headers: Headers) -> str:
        """The session that a request belongs to, "" if it has no key."""
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and self.is_token(token.strip()):
            return "bearer"
        signed, _, signature = cookie_parser(headers.get("cookie", "")).get(self.cookie, "").rpartition(".")
        if not signed or not hmac.compare_digest(digest(signature), digest(self._signature(signed))):
            return ""
        number, _, began = signed.partition(".")
        return number if time.time() - int(began) <= DAYS * 86_400 else ""

    def _signature(self, signed: str) -> str:
        """Another one after a change of the token or of the password, which ends all sessions."""
        key = digest(self.token) + digest(self.password)
        return hmac.new(key, signed.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()

    def wait_s(self, session: str) -> float:
        """Counts a request of a session; how long it must wait, 0 if not at all."""
        return self.sessions.take(session, time.monotonic())


def digest(text: str) -> bytes:
    """Of equal length for all texts, so that comparing takes equal time."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def is_address(text: str) -> bool:
    """Whether a host is an IP address: such a name cannot be made to point elsewhere."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


class Gate:
    """ASGI middleware that lets through what its guard allows; the outermost, so that it answers for all that fails within."""

    def __init__(self, app: ASGIApp, guard: Guard, ending: asyncio.Event) -> None:
        self.app, self.guard, self.ending = app, guard, ending

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection."""
        if scope["type"] == "websocket":
            refused = self.refusal(scope, Headers(scope=scope))
            if refused is None:
                await self.app(scope, receive, send)
            else:
                await receive()
                await send({"type": "websocket.close", "code": 1008, "reason": ""})
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers, started, completed = Headers(scope=scope), False, False

        async def send_with_headers(message: Message) -> None:
            nonlocal started, completed
            completed = completed or (message["type"] == "http.response.body" and not message.get("more_body"))
            if message["type"] == "http.response.start":
                started = True
                added = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    added[name] = value
                if "cache-control" not in added:
                    added["Cache-Control"] = "no-cache" if scope["path"].startswith(OPEN) else "no-store"
            await send(message)

        refused = self.refusal(scope, headers)
        if refused is None and scope["path"] == "/login" and scope["method"] == "POST":
            refused = await self._login(receive, address_of(scope))
        if refused is not None:
            await refused(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, until(self.ending, limited(receive, most_of(scope["path"]))), send_with_headers)
            if started and not completed:  # a stream that was broken off
                await send({"type": "http.response.body", "body": b""})
        except Exception as error:
            if started:
                raise
            response = said_by_database(error) or unexpected(error)
            await response(scope, receive, send_with_headers)

    def refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """The answer to a request that is not let through, or that is answered here; None for any other."""
        guard, path = self.guard, scope["path"]
        if not guard.knows_host(headers.get("host", "")):
            return answer(FORBIDDEN, "this address is not the studio's own: open the one that `boardgym studio` printed")
        is_visit = path == "/" and scope.get("method") in SAFE
        if (refused := self._foreign(scope, headers, is_visit)) is not None:
            return refused
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most_of(path):
            return answer(TOO_LARGE, too_large(most_of(path)))
        if path.startswith(OPEN) or path == "/login":
            return None
        if is_visit and (token := parse_qs(scope["query_string"].decode("latin-1")).get("token")):
            is_key = guard.is_token(token[0]) or guard.takes_once(token[0])
            return self._entry() if is_key else pages.locked(bool(guard.password), "This token is not valid.")
        session = guard.session_of(headers)
        if not session:
            if is_visit:
                return pages.locked(bool(guard.password))
            return answer(UNAUTHORISED, "no valid session: open the address that `boardgym studio` printed")
        if wait := guard.wait_s(session):
            slow = answer(TOO_MANY, f"too many requests: at most {RATE:g} a second; wait {wait:.1f} s")
            slow.headers["Retry-After"] = str(int(wait) + 1)
            return slow
        scope.setdefault("state", {})["session"] = session
        return None

    def _foreign(self, scope: Scope, headers: Headers, is_visit: bool) -> JSONResponse | None:
        """The answer to what another page sends."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        own = f"http://{headers.get('host', '')}"
        is_foreign = origin is not None and origin != own
        if site not in (None, "same-origin", "none") and not is_visit:
            is_foreign = True
        has_cookie_alone = "cookie" in headers and "authorization" not in headers
        if scope["type"] == "websocket" and origin is None and has_cookie_alone:
            is_foreign = True  # browsers always name the origin of a WebSocket
        return answer(FORBIDDEN, "this request comes from another page than the studio's own") if is_foreign else None

    def _entry(self) -> Response:
        """Opens a session, and leads to the page without the token in its address."""
        response = RedirectResponse("/", 303)
        value, age = self.guard.new_session(), DAYS * 86_400
        response.set_cookie(self.guard.cookie, value, max_age=age, httponly=True, samesite="strict", path="/")
        return response

    async def _login(self, receive: Receive, address: str) -> Response:
        """Opens a session to whoever gives the password. Guesses from one address do not lock out the others."""
        body = b""
        while len(body) <= 4096:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        now = time.monotonic()
        if self.guard.logins.take(address, now) or self.guard.all_logins.take(now):
            return pages.locked(True, "Too many attempts: wait a few seconds.", TOO_MANY)
        given = parse_qs(body.decode("utf-8", "replace")).get("password", [""])[0]
        return self._entry() if self.guard.is_password(given) else pages.locked(True, "This is not the password.")


def address_of(scope: Scope) -> str:
    """The address that a request comes from; of an IPv6 address the network, all of which one machine may have."""
    host = (scope.get("client") or ("",))[0]
    if not is_address(host) or "." in host:
        return host
    return str(ipaddress.ip_network(f"{host.partition('%')[0]}/64", strict=False))


def most_of(path: str) -> int:
    """How many bytes a body may have that is sent to an address."""
    return UPLOADS.get(path, MOST_BYTES)


def too_large(most: int) -> str:
    """What is said of a body of more than so many bytes."""
    return f"the body is too large: at most {most >> 20} MB"


def until(ending: asyncio.Event, receive: Receive) -> Receive:
    """Receives a body, and then waits for the client to leave, or for the server's end: so every stream ends with it."""
    is_received = False

    async def receive_or_end() -> Any:
        nonlocal is_received
        if not is_received:
            message = await receive()
            is_received = not message.get("more_body")
            return message
        waiting = [asyncio.ensure_future(receive()), asyncio.ensure_future(ending.wait())]
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            return waiting[0].result() if waiting[0].done() else {"type": "http.disconnect"}
        finally:
            for one in waiting:
                one.cancel()

    return receive_or_end


def limited(receive: Receive, most: int) -> Receive:
    """Receives a body of at most so many bytes, whatever its header says. Raises HTTPException beyond."""
    count = 0

    async def receive_counted() -> Any:
        nonlocal count
        message = await receive()
        count += len(message.get("body", b""))
        if count > most:
            raise HTTPException(TOO_LARGE, too_large(most))
        return message

    return receive_counted

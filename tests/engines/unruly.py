"""An engine for tests that speaks GTP or UCI after a fashion, and misbehaves as its argument says."""

import signal
import sys
import time

START, RULES = "3/3/3 x", "TicTacToe-v0"
way = sys.argv[1]
has_more = way in ("elsewhere", "otherwise")  # whether it says where it is and by which rules it plays
if way == "stubborn":
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if way == "stillborn":
    print("no book found", file=sys.stderr)
    sys.exit(3)
if way == "otherwise":
    RULES = "TicTacToe-v0 size=4"
for line in sys.stdin:
    words = line.split()
    if words[0].isdigit():
        number, command = words[0], words[1]
        known = [
            "play",
            "genmove",
            *["list_games", "set_game"] * (way == "chess"),
            *["boardgym-fen", "boardgym-rules"] * has_more,
        ]
        answer = {"list_commands": "\n".join(known), "list_games": "Chess", "boardgym-fen": START, "boardgym-rules": RULES}
        answer = answer | {"protocol_version": "1" if way == "old" else "2"}
        answer = answer.get(command, "")
        if command == "genmove":
            if way == "crash":
                print("out of \x1b[31mmemory" + " and more" * 99, file=sys.stderr, flush=True)
                sys.exit(7)
            if way in ("silent", "stubborn"):
                time.sleep(60)
            answer = {"illegal": "b2", "nonsense": "z9", "resign": "resign", "colourful": "\x1b]0;b2\x07"}.get(way, "a1")
            while way == "flood":
                print("#" * 10_000)
            while way == "endless":
                print("#" * 10_000, end="")
            if way == "garbage":
                print("I am thinking\n", flush=True)
                continue
        mark = "?" if way == "refuse" and command == "boardsize" else "="
        print(f"{mark}{number} {answer}\n", flush=True)
    elif words[0] == "uci":
        if has_more:
            print(f"option name Boardgym-Rules type string default {RULES}")
        print("id name unruly\nuciok", flush=True)
    elif words[0] == "isready":
        print("readyok", flush=True)
    elif words[0] == "boardgym-fen":
        print(f"info string boardgym-fen {START}", flush=True)
    elif words[0] == "go":
        if way == "silent":
            continue
        while way == "flood":
            print("info depth 3 nodes 12")
        print("info score mate -3" if way == "mate" else "info depth 3 score cp 250 nodes 12 pv c3 a1 c3")
        print("info string cp and pv in words")
        print("bestmove c3", flush=True)
    elif words[0] == "stop" and way == "silent":
        print("bestmove a3", flush=True)
if way == "stubborn":
    time.sleep(60)

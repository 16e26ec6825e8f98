#!/usr/bin/env python3
"""Replays the games of `juzhong match --out BASE` with two other programs' rules: Python's cchess reads each game of
BASE.pgn, pyffish plays each move list of BASE.jsonl. Usage: replay.py BASE. Needs `pip install cchess pyffish`."""
import json
import sys
import tempfile

import pyffish
from cchess.read_pgn import read_from_pgn



def one_based(move):
    """h2e2 as pyffish writes it: h3e3."""
    return f"{move[0]}{int(move[1]) + 1}{move[2]}{int(move[3]) + 1}"


def pgn_games(path):
    """The text of each game of a PGN file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return ["[Game " + part for part in text.split("[Game ")[1:]]


def check(base):
    with open(base + ".jsonl", encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    games = pgn_games(base + ".pgn")
    assert len(lines) == len(games), f"{len(lines)} results, {len(games)} games"
    for line, text in zip(lines, games):
        moves = line["moves"].split()
        with tempfile.NamedTemporaryFile("w", suffix=".pgn", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            read = read_from_pgn(file.name).dump_iccs_moves()
        assert (read[0] if read else []) == moves, f"game {line['number']}: cchess reads {read}"
        played = []
        for move in map(one_based, moves):
            legal = pyffish.legal_moves("xiangqi", line["start"], played)
            assert move in legal, f"game {line['number']}: {move} is not legal for pyffish"
            played.append(move)
        if line["termination"] in ("checkmate", "stalemate"):
            assert not pyffish.legal_moves("xiangqi", line["start"], played), f"game {line['number']} is not over"
    print(f"{len(lines)} games, every move legal, every game read back")


check(sys.argv[1])

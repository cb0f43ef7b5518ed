#!/usr/bin/env python3
"""Plays a match between two Hub engines under an independent referee: the rules of the PyPI package dame-rs.

    hub_referee.py --a "target/release/damier hub" --b "scan hub" --games 20 --move-time 0.1 \\
        --openings two-move-ballots.fen --params "book=false bb-size=0 tt-size=20"

Each opening is played with both colours. The referee checks every move (exact Hub notation, all captured squares) and
ends games by dame's outcome. It also keeps its own count of the draw rules of article 6 (third repetition, 25, 16 and 5
moves) and reports where dame differs. For each engine it counts illegal moves, crashes, silence, fallen flags and
unasked `done` lines, and it times each move from the write of `go` to the arrival of `done`.

Exit code: 0 when the match was clean, 1 when an engine or the referee was at fault, 2 for wrong usage.
"""

import argparse
import collections
import json
import math
import queue
import random
import re
import sys
import threading
import time

from hub_client import Crash, HubEngine, Silence, number, parse_params, percentile

try:
    import dame
except ImportError as error:
    raise SystemExit(f"FAIL: the package dame-rs is not importable ({error})")

FAULTS = ("illegal", "crash", "silence", "flag", "unasked")
RULES = {
    dame.Termination.NO_MOVES: "no moves",
    dame.Termination.REPETITION: "repetition",
    dame.Termination.TWENTY_FIVE_MOVES: "25 moves",
    dame.Termination.SIXTEEN_MOVES: "16 moves",
    dame.Termination.FIVE_MOVES: "5 moves",
}


# The referee's own count


class OwnCount:
    """Pieces and draw counters of one game, from the moves alone (no move generator).

    The 16-move and 5-move counts begin with the ending (three, or at most two pieces with a king among them, against a
    lone king) and go on as long as it lasts, man moves, promotions and captures notwithstanding. dame begins anew at
    each change of material; `as_dame` says what holds under that reading.
    """

    def __init__(self, pieces, white_to_move):
        self.pieces, self.white_to_move = dict(pieces), white_to_move
        self.seen = collections.Counter([self._position()])
        self.kings_only = 0
        self.ending, self.in_ending = self._ending(), 0
        self.same_material = 0

    def _position(self):
        return self.white_to_move, tuple(sorted(self.pieces.items()))

    def _ending(self):
        count = collections.Counter(self.pieces.values())
        for man, king, lone, lone_man in ("wWBb", "bBWw"):
            if count[lone] == 1 and not count[lone_man] and count[king]:
                strong = count[man] + count[king]
                return 5 if strong <= 2 else 16 if strong == 3 else None
        return None

    def play(self, start, end, captured):
        piece = self.pieces.pop(start)
        self.kings_only = 0 if captured or piece in "wb" else self.kings_only + 1
        for square in captured:
            del self.pieces[square]
        promoted = piece == "w" and end <= 5 or piece == "b" and end >= 46
        self.pieces[end] = piece.upper() if promoted else piece
        self.white_to_move = not self.white_to_move
        self.seen[self._position()] += 1
        ending = self._ending()
        self.in_ending = self.in_ending + 1 if ending == self.ending else 0
        self.same_material = 0 if captured or promoted else self.same_material + 1
        self.ending = ending

    def draws(self, as_dame=False):
        """The names of the rules by which the game is drawn now."""
        rules = set()
        if self.seen[self._position()] >= 3:
            rules.add("repetition")
        if self.kings_only >= 50:
            rules.add("25 moves")
        plies = min(self.in_ending, self.same_material) if as_dame else self.in_ending
        if self.ending and plies >= 2 * self.ending:
            rules.add(f"{self.ending} moves")
        return rules


# Levels


class Level:
    """What the engines may use for a move."""

    def __init__(self, args):
        self.clock = None
        if args.move_time is not None:
            self.kind, self.value = "move-time", args.move_time
        elif args.nodes is not None:
            self.kind, self.value = "nodes", args.nodes
        elif args.depth is not None:
            self.kind, self.value = "depth", args.depth
        else:
            try:
                time_s, _, inc = args.tc.partition("+")
                self.clock = float(time_s), float(inc or 0)
            except ValueError:
                sys.exit(f"FAIL: --tc is written TIME+INC in seconds, not {args.tc!r}")
            self.kind, self.value = "time", args.tc

    def __str__(self):
        return f"{self.kind}={self.value}"

    def line(self, clock):
        if self.clock is None:
            return f"level {self.kind}={self.value}"
        increment = f" inc={self.clock[1]:g}" if self.clock[1] else ""
        return f"level time={clock:.3f}{increment}"  # the engine adds the increment before it moves

    def budget(self, clock):
        """Seconds for this move, or None."""
        if self.clock is not None:
            return clock + self.clock[1]
        return self.value if self.kind == "move-time" else None


# One game


class Fault(Exception):
    def __init__(self, side, kind, text):
        super().__init__(f"{kind} by {side}: {text}")
        self.side, self.kind, self.text = side, kind, text


NOTATION = re.compile(r"(\d{1,2})(?:-(\d{1,2})|((?:x\d{1,2}){2,}))")


def read_move(text, legal):
    """The legal move that `text` names in exact Hub notation, else None."""
    match = NOTATION.fullmatch(text)
    if not match:
        return None
    start, end, rest = match.groups()
    captured = [int(square) for square in rest[1:].split("x")] if rest else [int(end)]
    end = captured.pop(0)
    for move in legal:
        if (move.from_square, move.to_square, sorted(move.captured)) == (int(start), end, sorted(captured)):
            return move
    return None


def symbols(board):
    return {square: piece.symbol() for square, piece in board.piece_map().items()}


def hub_position(board):
    pieces = symbols(board)
    side = "W" if board.turn == dame.WHITE else "B"
    return side + "".join(pieces.get(square, "e") for square in range(1, 51))


class Player:
    """One engine of one worker, started anew after a crash or silence."""

    def __init__(self, side, command, params, args):
        self.side, self.command, self.params, self.args = side, command, params, args
        self.engine = None

    def new_game(self):
        """Ready for a new game, or a Fault."""
        try:
            if self.engine is None:
                self.engine = HubEngine(self.command, self.params, self.args.start_timeout)
            self.engine.send("new-game")
            self._no_done(self.engine.sync(self.args.start_timeout))
            self.engine.complaints.clear()
        except (Crash, Silence) as error:
            self.drop()
            kind = "crash" if isinstance(error, Crash) else "silence"
            raise Fault(self.side, kind, f"before the game: {error}") from None

    def move(self, position, level, clock):
        """The answer to the position; unasked `done` lines are a fault."""
        self._no_done(self.engine.waiting())
        budget = level.budget(clock)
        timeout = self.args.silence + max(budget or 0, 0)
        try:
            answer = self.engine.search(position, level.line(clock), timeout)
        except Crash as error:
            self.drop()
            raise Fault(self.side, "crash", str(error)) from None
        except Silence as error:
            self.drop()
            raise Fault(self.side, "silence", str(error)) from None
        if level.clock and answer.used > budget + self.args.margin:
            raise Fault(self.side, "flag", f"{answer.used:.3f} s used, {budget:.3f} s on the clock")
        return answer

    def _no_done(self, lines):
        if any(line.text.split()[0] == "done" for line in lines):
            raise Fault(self.side, "unasked", "`done` without a search")

    def drop(self):
        if self.engine is not None:
            self.engine.kill()
            self.engine = None


def play_game(number_, opening, white, players, level, args):
    """One game; `white` is "A" or "B". The record of the game."""
    record = {"game": number_, "opening": opening, "white": white, "moves": [], "fault": None, "notes": []}
    board = dame.Board(opening)
    own = OwnCount(symbols(board), board.turn == dame.WHITE)
    clocks = dict.fromkeys("AB", level.clock[0] if level.clock else None)
    first = hub_position(board)
    other = {"A": "B", "B": "A"}
    moves, winner = [], None
    try:
        for side in "AB":
            players[side].new_game()
        while True:
            outcome = board.outcome()
            cross_check(board, own, outcome, record)
            if outcome is not None:
                record["end"] = RULES[outcome.termination]
                if outcome.winner is not None:
                    winner = white if outcome.winner == dame.WHITE else other[white]
                break
            if args.article_draws and own.draws():
                record["end"] = min(own.draws())
                break
            if len(moves) >= args.plies:
                record["end"] = "ply cap"
                break
            side = white if board.turn == dame.WHITE else other[white]
            legal = board.legal_moves
            position = f"pos pos={first}" + (f' moves="{" ".join(moves)}"' if moves else "")
            answer = players[side].move(position, level, clocks[side])
            record["moves"].append({
                "side": side, "move": answer.move, "used": round(answer.used, 5), "forced": len(legal) == 1,
                "depth": number(answer.info.get("depth")), "score": number(answer.info.get("score")),
                "nodes": number(answer.info.get("nodes"))})
            move = read_move(answer.move, legal)
            if move is None:
                raise Fault(side, "illegal", f"`{answer.move}` in {board.fen()} after {len(moves)} plies")
            if level.clock:
                clocks[side] += level.clock[1] - answer.used
            own.play(move.from_square, move.to_square, move.captured)
            board.push(move)
            moves.append(answer.move)
    except Fault as fault:
        winner = other[fault.side]
        record["end"] = fault.kind
        record["fault"] = {"side": fault.side, "kind": fault.kind, "text": fault.text}
    for side, player in players.items():
        if player.engine is not None and player.engine.complaints:
            record["notes"].append({"kind": "error line", "text": f"{side}: {player.engine.complaints[0]}"})
    record["score"] = 0.5 if winner is None else 1.0 if winner == "A" else 0.0
    record["plies"] = len(moves)
    record["final"] = board.fen()
    return record


def cross_check(board, own, outcome, record):
    """Compares dame with the own count; disagreements go to the notes."""
    ply = board.ply
    if own.pieces != symbols(board) or own.white_to_move != (board.turn == dame.WHITE):
        record["notes"].append({"kind": "referee", "text": f"ply {ply}: dame's board differs from the moves played"})
    rule = RULES[outcome.termination] if outcome else None
    if rule == "no moves":
        return
    expected = own.draws(as_dame=True)
    if rule not in expected if rule else expected:
        record["notes"].append({"kind": "referee", "text": f"ply {ply}: dame says {rule}, the own count "
                                                           f"{', '.join(sorted(expected)) or None}"})
    missed = own.draws() if rule is None else set()
    if missed and not any(note["kind"] == "missed draw" for note in record["notes"]):
        record["notes"].append({"kind": "missed draw", "text": f"ply {ply}: drawn by {', '.join(sorted(missed))} as "
                                "article 6 is counted here, dame goes on (it counts anew when the material changes)"})


# The match


def openings(args):
    """Endless: FENs from the file, or the start position plus random plies."""
    if args.openings:
        with open(args.openings, encoding="utf-8") as file:
            fens = [line.split()[0] for line in file if line.strip() and not line.startswith("#")]
        if not fens:
            sys.exit(f"FAIL: no openings in {args.openings}")
        for fen in fens:
            try:
                dame.Board(fen)
            except ValueError as error:
                sys.exit(f"FAIL: {args.openings}: {error}")
        while True:
            yield from fens
    chance = random.Random(args.seed)
    while True:
        board = dame.Board()
        for _ in range(args.random_plies):
            board.push(chance.choice(board.legal_moves))
        yield board.fen()


class Match:
    """Games, spread over workers, and what came of them."""

    def __init__(self, args, level):
        self.args, self.level = args, level
        self.records = []
        self.names = {}
        self.tasks = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.stop = threading.Event()
        self.trouble = None
        self.log = open(args.log, "w", encoding="utf-8") if args.log else None
        source = openings(args)
        for pair in range((args.games + 1) // 2):
            opening = next(source)
            for white in "AB":
                self.tasks.put((2 * pair + (white == "B") + 1, opening, white))

    def run(self):
        workers = [threading.Thread(target=self._work, daemon=True) for _ in range(self.args.concurrency)]
        for worker in workers:
            worker.start()
        try:
            for worker in workers:
                while worker.is_alive():
                    worker.join(0.2)
        except KeyboardInterrupt:
            self.stop.set()
            self.trouble = "interrupted"

    def _work(self):
        args = self.args
        params = {"A": parse_params(args.params) + parse_params(args.params_a),
                  "B": parse_params(args.params) + parse_params(args.params_b)}
        players = {side: Player(side, getattr(args, side.lower()), params[side], args) for side in "AB"}
        try:
            while not self.stop.is_set():
                task = self.tasks.get_nowait()
                record = play_game(*task, players, self.level, args)
                with self.lock:
                    self._finished(record, players)
        except queue.Empty:
            pass
        except Exception as error:  # a fault of this script must not pass for a clean match
            self.trouble = f"referee: {error!r}"
            self.stop.set()
        finally:
            for player in players.values():
                if player.engine is not None:
                    player.engine.quit()

    def _finished(self, record, players):
        for side, player in players.items():
            if player.engine is not None:
                self.names[side] = player.engine.name
        self.records.append(record)
        faults = sum(r["fault"] is not None for r in self.records)
        if faults >= self.args.max_faults:
            self.trouble = f"{faults} faults, the match is given up"
            self.stop.set()
        if not self.args.quiet or record["fault"]:
            text = f": {record['fault']['text']}" if record["fault"] else ""
            print(f"game {record['game']}, A {'White' if record['white'] == 'A' else 'Black'}: "
                  f"{record['score']:g} {record['end']}{text} ({record['plies']} plies)", flush=True)
        for note in record["notes"]:
            if note["kind"] != "missed draw" or not self.args.quiet:
                print(f"  note, game {record['game']}, {note['kind']}: {note['text']}", flush=True)
        if self.log:
            self.log.write(game_text(record, self.names, self.level))
            self.log.flush()


def game_text(record, names, level):
    """A game in the manner of PDN, with score/depth and seconds after each move."""
    white, black = record["white"], "B" if record["white"] == "A" else "A"
    for_white = record["score"] if white == "A" else 1 - record["score"]
    result = {1.0: "2-0", 0.5: "1-1", 0.0: "0-2"}[for_white]
    end = record["fault"]["text"] if record["fault"] else record["end"]
    tags = {"Round": record["game"], "White": f"{white} {names.get(white, '?')}",
            "Black": f"{black} {names.get(black, '?')}", "Result": result, "GameType": "20", "FEN": record["opening"],
            "Level": str(level), "Termination": end}
    lines = [f'[{name} "{value}"]'.replace("\\", "/") for name, value in tags.items()] + [""]
    black_first = int(record["opening"].startswith("B"))
    words = []
    for ply, move in enumerate(record["moves"], black_first):
        turn = f"{ply // 2 + 1}." + (".. " if ply % 2 else " ")
        score = "" if move["score"] is None else f"{move['score']:+.2f}/"
        words.append((turn if ply % 2 == 0 or ply == black_first else "")
                     + f"{move['move']} {{{score}{move['depth'] or 0:.0f} {move['used']:.3f}}}")
    line = ""
    for word in words + [result]:
        if len(line) + len(word) > 110:
            lines.append(line)
            line = ""
        line += " " * bool(line) + word
    return "\n".join(lines + [line]) + "\n\n"


# Reports


def elo(score):
    if score <= 0 or score >= 1:
        return math.inf if score >= 1 else -math.inf
    return -400 * math.log10(1 / score - 1)


def result_summary(records):
    """W-D-L of A, and Elo with its 95% interval from the scores of the pairs."""
    scores = [record["score"] for record in records]
    if not scores:
        return {"games": 0}
    pairs = collections.defaultdict(list)
    for record in records:
        pairs[(record["game"] - 1) // 2].append(record["score"])
    sums = [sum(pair) / 2 for pair in pairs.values() if len(pair) == 2]
    mean = sum(scores) / len(scores)
    summary = {"games": len(scores), "wins": scores.count(1.0), "draws": scores.count(0.5), "losses": scores.count(0.0),
               "score": mean, "elo": elo(mean),
               "pairs": {str(total): sums.count(total / 2) for total in (0.0, 0.5, 1.0, 1.5, 2.0)}}
    if len(sums) > 1:
        centre = sum(sums) / len(sums)
        error = math.sqrt(sum((x - centre) ** 2 for x in sums) / (len(sums) - 1) / len(sums))
        summary["interval"] = [elo(centre - 1.96 * error), elo(centre + 1.96 * error)]
    return summary


def engine_summary(records, side, level):
    """Faults, times, depth and speed of one engine."""
    moves = [move for record in records for move in record["moves"] if move["side"] == side]
    free = [move for move in moves if not move["forced"]]
    faults = collections.Counter(r["fault"]["kind"] for r in records if r["fault"] and r["fault"]["side"] == side)
    summary = {"faults": {kind: faults[kind] for kind in FAULTS}, "moves": len(moves)}
    if not moves:
        return summary
    used = [move["used"] for move in moves]
    summary["used"] = {"mean": sum(used) / len(used), "max": max(used)}
    if level.kind == "move-time":
        over = [seconds - level.value for seconds in used]
        summary["overshoot"] = {
            "mean": sum(over) / len(over), "p99": percentile(over, 0.99), "p99.5": percentile(over, 0.995),
            "max": max(over), "within 20 ms": sum(seconds <= 0.020 for seconds in over) / len(over)}
    depths = [move["depth"] for move in free if move["depth"] is not None]
    if depths:
        summary["depth"] = sum(depths) / len(depths)
    counted = [move for move in free if move["nodes"]]
    if counted:
        summary["nodes"] = sum(move["nodes"] for move in counted) / len(counted)
        summary["nps"] = sum(move["nodes"] for move in counted) / max(sum(move["used"] for move in counted), 1e-9)
    return summary


def print_report(match, result, engines):
    names = match.names
    print(f"\nA: {names.get('A', match.args.a)}    B: {names.get('B', match.args.b)}    {match.level}")
    if not result["games"]:
        return
    low, high = result.get("interval", (-math.inf, math.inf))
    print(f"A: +{result['wins']} ={result['draws']} -{result['losses']} of {result['games']}, "
          f"score {100 * result['score']:.1f}%, Elo {result['elo']:+.1f}  95% [{low:+.1f}, {high:+.1f}]  "
          f"pairs 0..2 {list(result['pairs'].values())}")
    ends = collections.Counter(record["end"] for record in match.records)
    print("ends: " + ", ".join(f"{end} {count}" for end, count in ends.most_common()))
    rows = [("", "moves", "depth", "knodes", "knps", "used ms", "max ms", "over ms", "p99", "p99.5", "max", "<=20ms")]
    for side in "AB":
        engine = engines[side]
        if "used" not in engine:
            rows.append((side, "0") + ("",) * 10)
            continue
        over = engine.get("overshoot")

        def ms(seconds):
            return f"{1000 * seconds:.1f}"

        rows.append((
            side, str(engine["moves"]), f"{engine.get('depth', 0):.1f}", f"{engine.get('nodes', 0) / 1e3:.1f}",
            f"{engine.get('nps', 0) / 1e3:.0f}", ms(engine["used"]["mean"]), ms(engine["used"]["max"]),
            *((ms(over["mean"]), ms(over["p99"]), ms(over["p99.5"]), ms(over["max"]),
               f"{100 * over['within 20 ms']:.1f}%") if over else ("",) * 5)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.rjust(width) for cell, width in zip(row, widths)).rstrip())
    for side in "AB":
        print(f"faults of {side}: " + ", ".join(f"{kind} {count}" for kind, count in engines[side]["faults"].items()))
    notes = collections.Counter(note["kind"] for record in match.records for note in record["notes"])
    print(f"dame against the own count: {notes['referee']} disagreements, {notes['missed draw']} draws of article 6 "
          "that dame sees later")


def finite(value):
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--a", required=True, metavar="CMD", help="command line of engine A")
    parser.add_argument("--b", required=True, metavar="CMD", help="command line of engine B")
    parser.add_argument("--games", type=int, default=2, help="rounded up to whole pairs (default 2)")
    level = parser.add_mutually_exclusive_group(required=True)
    level.add_argument("--move-time", type=float, metavar="S", help="seconds a move")
    level.add_argument("--nodes", type=int, metavar="N", help="nodes a move")
    level.add_argument("--depth", type=int, metavar="N", help="plies")
    level.add_argument("--tc", metavar="TIME+INC", help="clock in seconds; the increment is added before each move")
    parser.add_argument("--openings", metavar="FILE", help="a FEN (W:W..:B..) per line")
    parser.add_argument("--random-plies", type=int, default=4, help="without --openings: random plies (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--concurrency", type=int, default=1, metavar="K", help="games at a time (default 1)")
    for option, who in (("--params", "both engines"), ("--params-a", "A"), ("--params-b", "B")):
        parser.add_argument(option, metavar='"k=v k=v"', help=f"parameters set before init, for {who}")
    parser.add_argument("--plies", type=int, default=600, help="a game this long is a draw (default 600)")
    parser.add_argument("--article-draws", action="store_true",
                        help="end games by the referee's own count of article 6 where it is ahead of dame's")
    parser.add_argument("--margin", type=float, default=0.0, metavar="S",
                        help="a flag falls this much later (default 0)")
    parser.add_argument("--silence", type=float, default=20, metavar="S",
                        help="no `done` this long after the time for the move is silence (default 20)")
    parser.add_argument("--start-timeout", type=float, default=20, metavar="S", help="for the handshake (default 20)")
    parser.add_argument("--max-faults", type=int, default=10, help="give up after so many (default 10)")
    parser.add_argument("--json", metavar="OUT", help="write all games and the summary")
    parser.add_argument("--log", metavar="OUT", help="write the games in the manner of PDN, as they end")
    parser.add_argument("--quiet", action="store_true", help="no line per game")
    args = parser.parse_args()
    match = Match(args, Level(args))
    began = time.monotonic()
    match.run()
    match.records.sort(key=lambda record: record["game"])
    result = result_summary(match.records)
    engines = {side: engine_summary(match.records, side, match.level) for side in "AB"}
    print_report(match, result, engines)
    if args.json:
        report = {"names": match.names, "level": str(match.level), "options": vars(args), "result": result,
                  "engines": engines, "seconds": round(time.monotonic() - began, 1), "games": match.records}
        with open(args.json, "w", encoding="utf-8") as file:
            json.dump(finite(report), file, indent=1)
    faults = [record["fault"] for record in match.records if record["fault"]]
    wrong = [note["text"] for record in match.records for note in record["notes"] if note["kind"] == "referee"]
    why = match.trouble or (faults and f"{len(faults)} faults, the first: {faults[0]['kind']} by {faults[0]['side']}, "
                            f"{faults[0]['text']}") or (wrong and f"the referees disagree: {wrong[0]}")
    print(f"FAIL: {why}" if why else f"OK: {result['games']} games without a fault")
    return 1 if why else 0


if __name__ == "__main__":
    sys.exit(main())

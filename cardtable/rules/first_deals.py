"""The first deals of a game from another package, played before its moves are written where there may be too little
room for them.

Compiled code writes a seat's legal moves into room for MAX_MOVES, and nothing stops it at the end of that room.
"""

from __future__ import annotations

import numpy as np

from cardtable.base.errors import OptionError
from cardtable.kernel import bits, prng
from cardtable.kernel.outside import is_outside
from cardtable.rules import contract
from cardtable.rules.contract import State
from cardtable.rules.game import Game
from cardtable.rules.ruleset import Ruleset

DEALS, MOST = 20, 500  #: that are played, and moves in each
SPARE = 4096  #: room behind that of the game
_checked: set[tuple[str, bytes]] = set()


def room(game: Game) -> int:
    """Room for the legal moves of a seat, with some to spare in a game that is not Cardtable's own."""
    return game.rules.MAX_MOVES + 1 + (SPARE if is_outside(game.package) else 0)


def checked(ruleset: Ruleset) -> State:
    """A new state, from which some deals have been played, once for these rules, if the game is not Cardtable's own.

    Raises OptionError (`game/moves`) where a seat has more legal moves than the game declares.
    """
    game, start = ruleset.game, ruleset.state()
    if is_outside(game.package) and (key := (game.name, start.tobytes())) not in _checked:
        _play(game, start)
        _checked.add(key)
    return start


def _play(game: Game, start: State) -> None:
    """Play the deals. Raises OptionError."""
    s, moves = start.copy(), np.empty(room(game), np.int64)
    s.seed[:] = prng.key_of("first deals")
    contract.open_match(s)
    rng = prng.key_of("moves")
    standing = np.zeros(contract.MAX_SEATS, np.int64)
    for _ in range(DEALS):
        contract.next_deal(s, np.empty(112, np.int64))
        for _ in range(MOST):
            mask = int(contract.actors(s))
            if not mask:
                break
            seat = int(bits.lowest(mask))
            n = int(contract.legal(s, seat, moves))
            check_number(game, n)
            contract.play(s, seat, int(moves[int(prng.below(rng, n))]))
        if contract.actors(s) or contract.standing(s, standing):
            break


def check_number(game: Game, n: int) -> None:
    """Refuse more legal moves than the game declares. Raises OptionError (`game/moves`)."""
    if n > game.rules.MAX_MOVES:
        raise OptionError(
            f"game {game.name}",
            f"a seat has {n} legal moves, and MAX_MOVES of the rules is {game.rules.MAX_MOVES}",
            "raise MAX_MOVES to the most legal moves that a seat can ever have",
            code="game/moves",
        )

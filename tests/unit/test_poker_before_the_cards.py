"""Before the first card: blinds, posts, straddles and fees, the shuffle and the cut."""

from __future__ import annotations

from poker_dealer import Dealer, cents, terms
from poker_seen import clause

from controller.games.poker.inputs import Post


@clause("6.5", "1.1 'Over-blind bet'", "1.1 'Blind'")
def test_a_newcomer_who_has_posted_straddles_with_what_its_post_lacks() -> None:
    dealer = Dealer(terms(straddle=True), {1: 500, 2: 500, 3: 20, 4: 500}, button=4, posts=(3,))
    dealer.post_blinds()
    dealer.tell(Post(3, cents(20), "straddle"))
    newcomer = next(player for player in dealer.hand.betting.players if player.seat == 3)
    assert (newcomer.stack, newcomer.in_round, newcomer.in_hand, newcomer.all_in) == (0, cents(20), cents(20), 1)
    assert (dealer.hand.straddle, dealer.hand.straddler) == (cents(20), dealer.hand.betting.players.index(newcomer))

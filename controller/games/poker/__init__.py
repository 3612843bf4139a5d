"""Crown Poker: seven flop games at one table, as pure rules and a pure hand."""

"""Cases that tell an event as rules are discussed: from a given stand, who does what, and what is answered."""

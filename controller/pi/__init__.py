"""The table on its own machine: installed, watched over, its evidence kept."""

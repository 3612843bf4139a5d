"""What spans tables: hears all of them, keeps what they said, shows it, and bears witness."""

"""What search thinks of a position: from what one seat knows, or with all cards seen."""

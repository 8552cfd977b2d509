"""What tests of games share."""

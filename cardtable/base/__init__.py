"""What everything uses and nothing is needed for: cards, errors, messages, languages, files, systems."""

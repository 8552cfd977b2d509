"""Games in general: the contract of their rules, options, rulebook pages, and views of the table."""

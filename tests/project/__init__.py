"""The project itself: its pages, tools, examples, and what holds in the whole package."""

"""Search values of a position: from one seat's view, or with all cards open."""

"""Studies over many deals."""

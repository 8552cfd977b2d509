"""Pictures of a table as SVG: cards drawn as shapes, told apart without colour."""

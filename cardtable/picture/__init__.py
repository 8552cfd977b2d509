"""Pictures of a table as SVG: cards drawn as shapes, distinguishable without colour."""

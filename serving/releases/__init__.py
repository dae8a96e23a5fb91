"""Routes of releases: downloads of exports, and the boards of sealed releases."""

"""The verbs as a terminal meets them: their options, what they print, and where they are worked: in this process, or in the
app that holds the workspace. cli.py is the door to it."""

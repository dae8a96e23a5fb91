"""Ask the turns of conversations: the history that a system gets, a simulated user, and the outcomes by turn and by goal."""

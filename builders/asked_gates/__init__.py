"""One gate that asks agents a file: ASKED_GATE. They are run by builders.asked_gate.ask_gates."""

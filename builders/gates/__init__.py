"""One gate a file: GATE. They are run by builders.gate.run_gates."""

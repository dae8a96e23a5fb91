"""Gates that call no agent: each file defines one as its constant GATE, and builders.gate.run_gates runs them."""

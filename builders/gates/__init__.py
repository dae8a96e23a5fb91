"""Gates that ask no agent: each file defines one as GATE. builders.gate.run_gates runs them."""

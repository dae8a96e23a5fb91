"""Gates that ask agents: each file defines one as LLM_GATE. builders.llm_gate.ask_gates runs them."""

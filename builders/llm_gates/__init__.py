"""Gates that call agents: each file defines one as its constant LLM_GATE, and builders.llm_gate.ask_gates runs them."""

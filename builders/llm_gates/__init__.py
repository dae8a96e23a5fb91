"""One gate that asks agents a file: LLM_GATE. They are run by builders.llm_gate.ask_gates."""

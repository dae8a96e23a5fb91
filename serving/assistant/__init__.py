"""The MCP server at /bench/mcp, through which an AI assistant in an editor works on the benchmark. The assistant only proposes
decisions; people decide."""

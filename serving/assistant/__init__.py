"""The MCP server at /bench/mcp, by which an assistant in an editor works on the benchmark. It proposes; people decide."""

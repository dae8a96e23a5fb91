"""The MCP server at /bench/mcp, through which an assistant in an editor works on the benchmark. The assistant proposes; people
decide."""

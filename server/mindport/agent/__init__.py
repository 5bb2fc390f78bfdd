"""The server of the Model Context Protocol: what coding agents see of mindport. The only package that imports `mcp`."""

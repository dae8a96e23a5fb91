"""How the small components create a node of the page: its text is set as text, whatever it holds."""

MAKE = """
const make = (tag, name, text) => {
  const node = document.createElement(tag)
  if (name) node.className = name
  if (text !== undefined && text !== null) node.textContent = text
  return node
}
"""
"""Start of a component's script."""

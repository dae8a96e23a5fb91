"""JavaScript that the small components share: it creates a DOM node and sets the node's text as plain text, never as HTML."""

MAKE = """
const make = (tag, name, text) => {
  const node = document.createElement(tag)
  if (name) node.className = name
  if (text !== undefined && text !== null) node.textContent = text
  return node
}
"""
"""JavaScript of the function `make`, with which the script of a small component begins."""

"""The layout of a tree as XML: quoting, CDATA, and lines that read back exactly.

An element's text is inline if it is one line, else between its tags on lines of its own. Indentation moves text and
closing tag together, so the closing tag's column gives the number of blanks that belong to the layout.
"""

INDENT = "  "


def cdata(text: str) -> str:
    """Return the text unchanged, or in a CDATA section if it holds markup characters."""
    if "<" in text or "&" in text or "]]>" in text:
        return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
    return text


def attribute(name: str, value: str) -> str:
    """Return ` name="value"`, in the quotes that need no entity."""
    if "&" in value or "<" in value:
        value = value.replace("&", "&amp;").replace("<", "&lt;")
    if "\n" in value or "\t" in value:
        value = value.replace("\n", "&#10;").replace("\t", "&#9;")
    if '"' not in value:
        return f' {name}="{value}"'
    if "'" not in value:
        return f" {name}='{value}'"
    return f' {name}="{value.replace(chr(34), "&quot;")}"'


def fits_attribute(value: str) -> bool:
    """Return True if the value needs no entity in an attribute."""
    return "&" not in attribute("", value)


def indented(block: str, by: str = INDENT) -> str:
    """Indent each line; empty lines stay empty."""
    if "\n\n" in block:
        return "\n".join([by + line if line else line for line in block.split("\n")])
    return by + block.replace("\n", f"\n{by}")

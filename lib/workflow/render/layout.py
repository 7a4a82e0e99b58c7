"""How a tree lies on the page as XML: quoting, CDATA, and lines that read back exactly.

An element's text stands inline when it is one line, else between its tags on lines of its own. Whatever is indented is
indented together with its closing tag, so the closing tag's column tells how many blanks belong to the layout.
"""

INDENT = "  "


def cdata(text: str) -> str:
    """The text as it is, within one CDATA section where it holds what XML would read as markup."""
    if "<" in text or "&" in text or "]]>" in text:
        return "<![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]>"
    return text


def attribute(name: str, value: str) -> str:
    """` name="value"`, in the quotes that need no entity."""
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
    """Whether the value stands in an attribute without an entity."""
    return not ("&" in value or "<" in value or "\n" in value or "\t" in value or ('"' in value and "'" in value))


def indented(block: str, by: str = INDENT) -> str:
    """The lines moved to the right; empty ones stay empty."""
    if "\n\n" in block:
        return "\n".join(by + line if line else line for line in block.split("\n"))
    return by + block.replace("\n", "\n" + by)

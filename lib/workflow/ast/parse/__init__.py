"""The parser of XML text, and the extraction of one block from an agent's prose (`extract`)."""

from .parser import LIMITS, Limits, Mark, Marked, ParseError, SourceMap, parse, parse_page, parse_xml, place

__all__ = [
    "LIMITS",
    "Limits",
    "Mark",
    "Marked",
    "ParseError",
    "SourceMap",
    "parse",
    "parse_page",
    "parse_xml",
    "place",
]

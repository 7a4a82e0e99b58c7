"""SHA-256 of short texts without OpenSSL, and signatures made of it.

The import of OpenSSL takes a quarter of a bare start of Python. For 300 KB and more, `hashlib` is faster all the same.
"""

import sys
from _operator import _compare_digest as compare_digest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import sha256
else:
    try:
        if sys.version_info < (3, 12):
            from _sha256 import sha256
        else:
            from _sha2 import sha256
    except ImportError:  # an interpreter without these modules
        from hashlib import sha256

__all__ = ["compare_digest", "sha256", "signature"]

_BLOCK: Final = 64
"""Bytes of a block of SHA-256."""


def signature(key: bytes, message: bytes) -> bytes:
    """Return the HMAC (RFC 2104) of a message, with SHA-256: what `hmac.digest` returns."""
    whole = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in whole) for pad in (0x36, 0x5C))
    return sha256(outer + sha256(inner + message).digest()).digest()

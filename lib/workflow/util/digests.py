"""SHA-256 without OpenSSL, whose import takes a quarter of a bare start of Python; and signatures made of it."""

import sys
from _operator import _compare_digest as compare_digest
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from hashlib import _Hash as Hash
    from hashlib import sha256 as _lean
else:
    try:
        if sys.version_info < (3, 12):
            from _sha256 import sha256 as _lean
        else:
            from _sha2 import sha256 as _lean
    except ImportError:  # an interpreter without these modules
        from hashlib import sha256 as _lean

__all__ = ["compare_digest", "sha256", "signature"]

_LONG: Final = 300_000
"""Bytes from which OpenSSL is faster, its import included."""
_BLOCK: Final = 64
"""Bytes of a block of SHA-256."""


def sha256(data: bytes) -> "Hash":
    """Return the hash of the data, as `hashlib.sha256` does."""
    if len(data) < _LONG:
        return _lean(data)
    from hashlib import sha256 as fast

    return fast(data)


def signature(key: bytes, message: bytes) -> bytes:
    """Return the HMAC (RFC 2104) of a message, with SHA-256: what `hmac.digest` returns."""
    whole = (key if len(key) <= _BLOCK else sha256(key).digest()).ljust(_BLOCK, b"\0")
    inner, outer = (bytes(byte ^ pad for byte in whole) for pad in (0x36, 0x5C))
    return sha256(outer + sha256(inner + message).digest()).digest()

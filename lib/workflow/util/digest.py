"""SHA-256 digests of bytes. `hashlib` is imported with the first one, because many steps need none."""


def sha256_of(data: bytes) -> str:
    """Return the digest in hexadecimal digits."""
    from hashlib import sha256

    return sha256(data).hexdigest()

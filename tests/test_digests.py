"""Digests and signatures are those of the standard library."""

import hashlib
import hmac

from hypothesis import given
from hypothesis import strategies as st

from lib.workflow.util.digests import compare_digest, sha256, signature


@given(st.binary(max_size=200), st.binary(max_size=200))
def test_a_signature_is_the_hmac_of_the_standard_library(key: bytes, message: bytes) -> None:
    assert signature(key, message) == hmac.digest(key, message, "sha256")
    assert sha256(message).hexdigest() == hashlib.sha256(message).hexdigest()
    assert compare_digest(key, message) is (key == message)


def test_a_long_text_has_the_same_digest() -> None:
    assert sha256(b"x" * 300_000).digest() == hashlib.sha256(b"x" * 300_000).digest()


def test_keys_around_the_length_of_a_block_sign_as_the_standard_library_does() -> None:
    for length in (0, 1, 63, 64, 65, 200):
        assert signature(b"k" * length, b"m") == hmac.digest(b"k" * length, b"m", "sha256")

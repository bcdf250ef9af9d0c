"""Just enough of HTTP/2 to call a gRPC method without a gRPC client.

A Python gRPC client costs as much CPU a call as the server it measures. These frames are
built once and sent as bytes, which costs a tenth of that, so the server is what is measured.
"""

from typing import Final

PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA: Final = 0
HEADERS: Final = 1
SETTINGS: Final = 4
PING: Final = 6
GOAWAY: Final = 7
WINDOW_UPDATE: Final = 8
END_STREAM: Final = 1
ACK: Final = 1
END_HEADERS: Final = 4
HEADER_BYTES: Final = 9

_WINDOW: Final = 2**31 - 1
_DEFAULT_WINDOW: Final = 65_535
_INITIAL_WINDOW_SIZE: Final = 4
# HPACK: fields of the static table, then literals that name their field by its index there.
_METHOD_POST: Final = b"\x83"
_SCHEME_HTTP: Final = b"\x86"
_PATH: Final = b"\x04"
_AUTHORITY: Final = b"\x01"
_CONTENT_TYPE: Final = b"\x0f\x10"


def frame(kind: int, flags: int, stream: int, payload: bytes) -> bytes:
    """Return one frame."""
    size = len(payload).to_bytes(3, "big")
    return size + bytes((kind, flags)) + stream.to_bytes(4, "big") + payload


def opening() -> bytes:
    """Return what a client says first; the server may then send 2 GiB unasked."""
    window = _INITIAL_WINDOW_SIZE.to_bytes(2, "big") + _WINDOW.to_bytes(4, "big")
    more = (_WINDOW - _DEFAULT_WINDOW).to_bytes(4, "big")
    return PREFACE + frame(SETTINGS, 0, 0, window) + frame(WINDOW_UPDATE, 0, 0, more)


def call_headers(path: str) -> bytes:
    """Return the header block of a unary call as our own channels make it."""
    return b"".join(
        (
            _METHOD_POST,
            _SCHEME_HTTP,
            _PATH + _text(path),
            _AUTHORITY + _text("localhost"),
            _CONTENT_TYPE + _text("application/grpc"),
            b"\x00" + _text("te") + _text("trailers"),
            b"\x00" + _text("grpc-timeout") + _text("3S"),
            b"\x00" + _text("x-request-id") + _text("0123456789abcdef0123456789abcdef"),
        )
    )


def grpc_message(data: bytes) -> bytes:
    """Return a message with gRPC's prefix: not compressed, its length."""
    return b"\x00" + len(data).to_bytes(4, "big") + data


def _text(value: str) -> bytes:
    data = value.encode("ascii")
    if len(data) > 126:
        raise ValueError("a header value of more than 126 bytes needs another length prefix")
    return bytes((len(data),)) + data

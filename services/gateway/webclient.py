"""The built web client: files under one directory, and its first page for every route.

The build leaves a gzipped twin (``.gz``) beside what gets smaller by it.
"""

import mimetypes
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import FileResponse, Response

from services.gateway.problems import ProblemError, ProblemType

ASSETS: Final = "assets"
"""Where the build puts files whose names carry a hash of their content."""

_FOREVER: Final = "public, max-age=31536000, immutable"
_CHECK_FIRST: Final = "no-cache"
_SERVER_PREFIXES: Final = ("/v1/", "/openapi.json", "/asyncapi.yaml")
_NEVER_A_PAGE: Final = (f"{ASSETS}/", "icons/", "sw.js", "manifest.webmanifest")
"""What browsers ask for by themselves: a page in its place would only confuse them."""

# Browsers are told not to guess (nosniff), and run or install nothing that is called otherwise;
# the machine's own list of types may know less.
_MEDIA_TYPES: Final = {
    ".js": "text/javascript",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}


def serve(root: Path, request: Request) -> Response:
    """Return the file that a path names, or the client's first page for its own routes.

    Raises not-found for what is the server's, for missing assets, and when the client was
    not built.
    """
    path = request.url.path
    if request.method not in {"GET", "HEAD"} or f"{path}/".startswith(_SERVER_PREFIXES):
        raise ProblemError(ProblemType.NOT_FOUND)
    root = root.resolve()
    relative = request.scope["path"].lstrip("/")
    found = _inside(root, relative)
    if found is not None:
        keep = _FOREVER if relative.startswith(f"{ASSETS}/") else _CHECK_FIRST
        return _file(found, keep, request)
    page = root / "index.html"
    if relative.startswith(_NEVER_A_PAGE) or not page.is_file():
        raise ProblemError(ProblemType.NOT_FOUND)
    return _file(page, _CHECK_FIRST, request)


def _file(path: Path, keep: str, request: Request) -> FileResponse:
    media_type = _MEDIA_TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0]
    headers = {"Cache-Control": keep}
    twin = path.with_name(f"{path.name}.gz")
    if twin.is_file() and twin.stat().st_mtime >= path.stat().st_mtime:  # older is of another build
        headers["Vary"] = "Accept-Encoding"
        # Parts of a file are parts of what it is, not of what was made of it.
        if _takes_gzip(request.headers.get("accept-encoding", "")) and not _in_parts(request):
            headers["Content-Encoding"] = "gzip"
            path = twin
    return FileResponse(path, media_type=media_type, headers=headers)


def _in_parts(request: Request) -> bool:
    return "range" in request.headers


def _takes_gzip(accepted: str) -> bool:
    """Say whether an Accept-Encoding names gzip without refusing it (RFC 9110, 12.5.3)."""
    for offer in accepted.lower().split(","):
        coding, _, weight = offer.partition(";")
        if coding.strip() == "gzip":
            return weight.replace(" ", "") not in {"q=0", "q=0.0", "q=0.00", "q=0.000"}
    return False


def _inside(root: Path, relative: str) -> Path | None:
    """Return the file at a relative path unless it leads out of the root."""
    if not relative or "\0" in relative:
        return None
    try:
        path = (root / relative).resolve()
        return path if path.is_relative_to(root) and path.is_file() else None
    except (OSError, ValueError):
        # A name that no file can have.
        return None

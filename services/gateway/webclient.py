"""The built web client: files under one directory, and its first page for every route."""

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
        return _file(found, _FOREVER if relative.startswith(f"{ASSETS}/") else _CHECK_FIRST)
    page = root / "index.html"
    if relative.startswith(_NEVER_A_PAGE) or not page.is_file():
        raise ProblemError(ProblemType.NOT_FOUND)
    return _file(page, _CHECK_FIRST)


def _file(path: Path, keep: str) -> FileResponse:
    media_type = _MEDIA_TYPES.get(path.suffix)
    return FileResponse(path, media_type=media_type, headers={"Cache-Control": keep})


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

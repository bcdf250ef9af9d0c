"""The built web client, where `make web` puts it."""

from pathlib import Path

WEB = Path(__file__).resolve().parents[2] / "services" / "gateway" / "web"
BUILT = WEB / "dist"
AXE = WEB / "node_modules" / "axe-core" / "axe.min.js"

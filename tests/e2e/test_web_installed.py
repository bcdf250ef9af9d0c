"""The client on a person's device: installable, there without a network, and renewed when asked."""

import base64
import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser import PATIENCE_MS, device
from tests.support.live_servers import Served, served
from tests.support.table_page import sit_down
from tests.support.web_client import BUILT

pytestmark = pytest.mark.browser

KEPT = "caches.keys().then((names) => names.filter((name) => name.startsWith('riverboat-')))"
ADDRESSES = """
caches.keys()
  .then((names) => Promise.all(names.map((name) => caches.open(name))))
  .then((kept) => Promise.all(kept.map((cache) => cache.keys())))
  .then((requests) => requests.flat().map((request) => request.url))
"""
LOOK_FOR_NEWS = "navigator.serviceWorker.ready.then((found) => found.update()).then(() => null)"


@pytest.fixture(scope="module")
def web_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the built client, to be renewed."""
    return Path(shutil.copytree(BUILT, tmp_path_factory.mktemp("web") / "dist"))


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory, web_root: Path) -> Iterator[Served]:
    url = f"sqlite:///{tmp_path_factory.mktemp('tables') / 'tables.sqlite3'}"
    with served(url, web_root=web_root) as gateway:
        yield gateway


@pytest.fixture
def context(gateway: Served, tmp_path: Path) -> Iterator[BrowserContext]:
    with device(tmp_path / "profile", gateway.base_url) as context:
        context.set_default_timeout(PATIENCE_MS)
        expect.set_options(timeout=PATIENCE_MS)
        yield context


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """The lobby of a fresh guest, with all of the client on the device."""
    page = context.pages[0]
    page.goto("/")
    expect(page.get_by_test_id("sit-down")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    return page


def test_the_browser_offers_to_install_it(context: BrowserContext, page: Page) -> None:
    inspector = context.new_cdp_session(page)
    manifest = inspector.send("Page.getAppManifest")
    assert urlsplit(manifest["url"]).path == "/manifest.webmanifest"
    assert manifest["errors"] == []
    errors = inspector.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert errors == []


def test_without_a_network_a_page_says_so_and_goes_on_when_it_is_back(
    context: BrowserContext, page: Page
) -> None:
    sit_down(page)
    cards = page.get_by_test_id("own-card").all_inner_texts()
    context.set_offline(True)
    page.reload()
    expect(page.get_by_test_id("offline-page")).to_be_visible()
    page.goto("/help")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("offline-page")).to_be_visible()
    context.set_offline(False)
    expect(page.get_by_test_id("own-card")).to_have_count(2)
    assert page.get_by_test_id("own-card").all_inner_texts() == cards


def test_only_the_client_is_kept_and_nothing_of_the_game(page: Page) -> None:
    sit_down(page)
    page.reload()
    expect(page.get_by_test_id("own-card")).to_have_count(2)
    paths = {urlsplit(address).path for address in page.evaluate(ADDRESSES)}
    assert "/index.html" in paths
    assert not [path for path in paths if path.startswith("/v1")]


def test_a_new_version_waits_until_it_is_asked_for(page: Page, web_root: Path) -> None:
    page.reload()
    expect(page.get_by_test_id("sit-down")).to_be_visible()
    before = page.evaluate(KEPT)
    release(web_root, "The new Riverboat")
    page.evaluate(LOOK_FOR_NEWS)
    offer = page.get_by_test_id("notice-action")
    expect(offer).to_be_visible()
    first_page = page.request.get("/").text()
    assert "The new Riverboat" in first_page
    assert page.locator("meta[name=new]").count() == 0
    offer.click()
    expect(page.locator("meta[name=new]")).to_have_count(1)
    expect(page.get_by_test_id("sit-down")).to_be_visible()
    assert page.evaluate(KEPT)[:-1] == before


def release(web_root: Path, word: str) -> None:
    """Change the client's first page, as a build would: its worker knows the new content."""
    page, worker = web_root / "index.html", web_root / "sw.js"
    old = integrity(page)
    page.write_text(
        page.read_text().replace("</head>", f'<meta name="new" content="{word}"></head>')
    )
    script = worker.read_text()
    assert old in script
    version = hashlib.sha256(word.encode()).hexdigest()[:12]
    script = script.replace(old, integrity(page))
    worker.write_text(script.replace(version_of(script), version))


def integrity(file: Path) -> str:
    return base64.b64encode(hashlib.sha256(file.read_bytes()).digest()).decode()


def version_of(script: str) -> str:
    """The name of the build that a worker's script holds."""
    _, _, rest = script.partition("version:")
    return rest[1:13]

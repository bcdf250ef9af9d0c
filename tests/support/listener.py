"""Somebody who hears the page: what live regions say, and what names and roles there are."""

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page, expect

# What assistive tools are told when a live region changes: the text that was added, without what is
# hidden from them, and with the names of pictures in place of the pictures.
_LISTEN = """
(() => {
  const LIVE = '[aria-live]:not([aria-live=off]), [role=status], [role=log], [role=alert]';
  window.heard = [];
  const spoken = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE) return '';
    if (node.getAttribute('aria-hidden') === 'true') return '';
    if (node.getAttribute('role') === 'img') return ` ${node.getAttribute('aria-label') ?? ''} `;
    return [...node.childNodes].map(spoken).join('');
  };
  const isLive = (node) => {
    const element = node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement;
    return Boolean(element?.closest(LIVE)) && !element.closest('[aria-hidden=true]');
  };
  const say = (node) => {
    const text = spoken(node).replace(/\\s+/g, ' ').trim();
    if (text) window.heard.push(text);
  };
  // Of several lines that come together, each is told for itself.
  const sayLines = (node) => {
    const lines = [...(node.querySelectorAll?.('li, p') ?? [])];
    (lines.length > 0 ? lines : [node]).forEach(say);
  };
  // A region that comes with its text is not told: only what changes in it afterwards.
  new MutationObserver((changes) => {
    for (const change of changes.filter(({ target }) => isLive(target))) {
      if (change.type === 'characterData') say(change.target);
      else change.addedNodes.forEach(sayLines);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
})();
"""


@dataclass
class Listener:
    """Hears one page; `heard` is all that was said, over several documents of it."""

    page: Page
    heard: list[str] = field(default_factory=list)

    def listen(self) -> list[str]:
        """Return what was said since the last time, and remember it."""
        news: list[str] = self.page.evaluate("window.heard.splice(0)")
        self.heard.extend(news)
        return news

    def wait_for(self, words: str) -> str:
        """Wait until something with ``words`` in it has been said since; return that."""
        self.page.wait_for_function(
            "words => window.heard.some((said) => said.includes(words))", arg=words
        )
        return next(said for said in self.listen() if words in said)


def listener(context: BrowserContext) -> Listener:
    """Open a page that is listened to from its first moment."""
    context.add_init_script(_LISTEN)
    page = context.new_page()
    expect.set_options(timeout=30_000)
    return Listener(page)

"""What a browser does while a hand is played: layout shifts, answers to clicks, and frames.

`WATCH` goes into a page before anything else runs there; `read_trace` tells what it saw.
"""

from typing import Any, Final

from playwright.sync_api import Page

WATCH: Final = """
(() => {
  const trace = { shifts: [], clicks: [], moving: [] };
  window.riverboatTrace = trace;
  const named = (node) => node?.closest?.('[data-testid]')?.dataset.testid ?? node?.nodeName ?? '';
  new PerformanceObserver((list) => {
    for (const shift of list.getEntries()) {
      trace.shifts.push({
        value: shift.value,
        at: shift.startTime,
        moved: shift.sources.map(({ node }) => `${named(node)} ${node?.className ?? ''}`.trim()),
      });
    }
  }).observe({ type: 'layout-shift', buffered: true });

  // One's own action is seen when the seat says it, or the bar that it is being sent.
  const told = () =>
    document.querySelector('.said.pending') !== null ||
    document.querySelector('[data-testid="action-bar"]')?.dataset.state !== 'your_turn';
  addEventListener('click', (event) => {
    const button = event.target.closest?.('[data-testid^="action-"]');
    if (button?.tagName !== 'BUTTON' || button.getAttribute('aria-disabled') === 'true') return;
    const at = event.timeStamp;
    const look = () => {
      if (!told()) return requestAnimationFrame(look);
      // This frame is drawn with it; the task after it runs when it is.
      const channel = new MessageChannel();
      channel.port1.onmessage = () => trace.clicks.push(performance.now() - at);
      channel.port2.postMessage(null);
    };
    requestAnimationFrame(look);
  }, true);

  // Frames while cards are dealt or chips fly, by what moves.
  let before = 0;
  const frame = (now) => {
    const kinds = new Set(
      document.getAnimations().map(({ effect, animationName }) => {
        if (effect?.target?.classList?.contains('flight')) return 'chips';
        return animationName?.endsWith('-deal') || animationName?.endsWith('-flip') ? 'deal' : '';
      }),
    );
    kinds.delete('');
    if (before > 0 && kinds.size > 0) trace.moving.push([now - before, [...kinds].join('+')]);
    before = kinds.size > 0 ? now : 0;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})();
"""


def watch(page: Page) -> None:
    """Have every document of this page watched from its beginning."""
    page.add_init_script(WATCH)


def read_trace(page: Page) -> dict[str, Any]:
    """What was seen since the document was opened.

    ``shifts``: each with its score, milliseconds and what moved; ``clicks``: milliseconds from
    each action's click until it is seen; ``moving``: milliseconds of each frame during which
    cards or chips moved, and which.
    """
    return dict(page.evaluate("window.riverboatTrace"))

/** What of an element that scrolls is out of sight, so that it can be hinted at. */
export interface Edges {
  readonly above: boolean;
  readonly below: boolean;
}

/** Less than this is rounding, in pixels. */
const SLACK = 1;

/** An attachment that tells of an element's edges, and again whenever they may have changed. */
export function edges(tell: (edges: Edges) => void): (box: HTMLElement) => () => void {
  return (box) => {
    const look = (): void =>
      tell({
        above: box.scrollTop > SLACK,
        below: box.scrollHeight - box.clientHeight - box.scrollTop > SLACK,
      });
    const sizes = new ResizeObserver(look);
    for (const part of [box, ...box.children]) sizes.observe(part);
    box.addEventListener('scroll', look, { passive: true });
    return () => {
      sizes.disconnect();
      box.removeEventListener('scroll', look);
      tell({ above: false, below: false });
    };
  };
}

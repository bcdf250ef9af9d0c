/** Whether the server can be reached, as far as this page knows. */
export const connection = $state({
  /** The browser says there is no network. */
  offline: typeof navigator !== 'undefined' && navigator.onLine === false,
  /** A request is being repeated because no usable answer came. */
  trouble: false,
});

export function watchConnection(): () => void {
  const update = (): void => {
    connection.offline = !navigator.onLine;
  };
  addEventListener('online', update);
  addEventListener('offline', update);
  return () => {
    removeEventListener('online', update);
    removeEventListener('offline', update);
  };
}

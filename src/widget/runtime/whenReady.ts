import { createLife } from './life.ts';

/** Whether the page's handlers for a parsed document have had their turn. */
function isReady(window: Window): boolean {
  const { readyState } = window.document;
  if (readyState !== 'interactive') return readyState === 'complete';
  const [navigation] = window.performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  return (navigation?.domContentLoadedEventEnd ?? 1) > 0;
}

/** When the document is parsed and the page's own handlers of that moment are through, also those that run a little after it. */
export function whenReady(window: Window): Promise<void> {
  return new Promise((resolve) => {
    const life = createLife();
    const soon = (): void => void life.after(0, () => life.after(0, resolve));
    if (isReady(window)) resolve();
    else window.document.addEventListener('DOMContentLoaded', soon, { once: true });
  });
}

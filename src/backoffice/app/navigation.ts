import { parseSearch, type Search, type SearchChanges, stringifySearch } from './address.ts';

/** An entry of the browser's history. `arrival`: how we came to it. */
export type Entry = {
  readonly path: string;
  readonly search: Search;
  readonly href: string;
  readonly key: string;
  readonly arrival: 'start' | 'push' | 'replace' | 'back';
};

/** This part of the query stays when a page is left for another. */
const KEPT = 'entity';

/** The browser's history as far as these pages use it. */
export type Navigation = {
  current(): Entry;
  /** The address of a page, with the part of the query that stays. */
  hrefTo(to: string, search?: SearchChanges): string;
  go(href: string, how?: { readonly isReplaced: boolean }): void;
  /** How far the page was scrolled when the entry was left; 0 for a new one. */
  scrolledTo(key: string): number;
  onChange(listener: () => void): () => void;
};

export function createNavigation(browser: Pick<Window, 'history' | 'location' | 'addEventListener' | 'scrollY'>): Navigation {
  const { history, location } = browser;
  const listeners = new Set<() => void>();
  const scrolled = new Map<string, number>();
  let keys = 0;
  // Entries from before the page was loaded anew keep theirs.
  const newKey = (): string => {
    keys += 1;
    return `${performance.timeOrigin} ${keys}`;
  };
  const keyNow = (): string | undefined => (history.state as { readonly key?: string } | null)?.key;
  const read = (arrival: Entry['arrival']): Entry => ({
    path: location.pathname,
    search: parseSearch(location.search),
    href: location.pathname + location.search,
    key: keyNow() ?? '',
    arrival,
  });
  const change = (arrival: Entry['arrival']): void => {
    current = read(arrival);
    for (const listener of listeners) listener();
  };
  // The content of a page arrives after the page, so the browser itself would scroll too early.
  history.scrollRestoration = 'manual';
  if (keyNow() === undefined) history.replaceState({ key: newKey() }, '');
  let current = read('start');
  browser.addEventListener('popstate', () => {
    scrolled.set(current.key, browser.scrollY);
    change('back');
  });
  return {
    current: () => current,
    hrefTo: (to, search = {}) => to + stringifySearch(KEPT in search ? search : { ...search, [KEPT]: current.search[KEPT] }),
    go(href, { isReplaced } = { isReplaced: false }) {
      scrolled.set(current.key, browser.scrollY);
      if (isReplaced) history.replaceState({ key: current.key }, '', href);
      else history.pushState({ key: newKey() }, '', href);
      change(isReplaced ? 'replace' : 'push');
    },
    scrolledTo: (key) => scrolled.get(key) ?? 0,
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

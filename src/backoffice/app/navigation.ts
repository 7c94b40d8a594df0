import { createContext, use, useEffect } from 'react';

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

/** The values of `$name` in the pattern of a page, one segment each; null when the path does not match it. */
export function paramsIn(pattern: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [pattern.split('/'), path.replace(/(.)\/$/, '$1').split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const segment = given[at] ?? '';
    if (part.startsWith('$')) params[part.slice(1)] = decoded(segment);
    else if (part !== segment) return null;
  }
  return params;
}

/** The page of a path; where several match it, the one with the fewest parameters. */
export function pageAt<Page extends { readonly path: string }>(pages: readonly Page[], path: string): Page | undefined {
  const parameters = ({ path: pattern }: Page) => pattern.split('$').length;
  return pages
    .filter((page) => paramsIn(page.path, path) !== null)
    .toSorted((one, other) => parameters(one) - parameters(other))[0];
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The address of a page: its path parameters and its query. */

export type Search = Readonly<Record<string, string>>;

/** Values of a query to be; undefined and empty ones are left out. */
export type SearchChanges = Readonly<Record<string, string | undefined>>;

const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

function stringifySearch(search: SearchChanges): string {
  const present = Object.entries(search).filter((one): one is [string, string] => one[1] !== undefined && one[1] !== '');
  const text = new URLSearchParams(present).toString();
  return text === '' ? '' : `?${text}`;
}

export type Address = {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Search;
  /** The element that had the focus when the page was requested. A user who has moved on since is not disturbed when the page arrives. */
  readonly askedFrom: Element | null;
  /** Changes the query; undefined removes a value. It adds no entry to the history. */
  readonly set: (changes: SearchChanges) => void;
  /** Goes to another page; the chosen entity stays in the address. */
  readonly go: (to: string, search?: SearchChanges) => void;
  /** The whole address of a page, for a link. */
  readonly hrefTo: (to: string, search?: SearchChanges) => string;
  /** Opens an address of these pages as it stands. */
  readonly open: (href: string) => void;
  /** Loads what a page is made of before it is opened. */
  readonly preload: (to: string) => void;
};

export const AddressContext = createContext<Address | null>(null);

/** Where we are, and how to go elsewhere. */
export function useAddress(): Address {
  const address = use(AddressContext);
  if (!address) throw new Error('there is no address outside the pages');
  return address;
}

/** The title of the window: the page, then the product. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? 'Turnpike' : `${title} · Turnpike`;
  }, [title]);
}

import { createContext, use, useEffect } from 'react';

/** The address of a page: its path parameters and its query. */

export type Search = Readonly<Record<string, string>>;

/** Values of a query to be; undefined and empty ones are left out. */
export type SearchChanges = Readonly<Record<string, string | undefined>>;

export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: SearchChanges): string {
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

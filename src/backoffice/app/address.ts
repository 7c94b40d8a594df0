import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The address of a page: its path parameters and its query. */

export type Search = Readonly<Record<string, string>>;

/** Every value is a text; the router would take `1` for a number and `"1"` for a text. */
export const parseSearch = (text: string): Search => Object.fromEntries(new URLSearchParams(text));

export function stringifySearch(search: Readonly<Record<string, unknown>>): string {
  const present = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? '' : `?${text}`;
}

export type Address = {
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly search: Search;
  /** Changes the query; undefined removes a value. It adds no entry to the history. */
  readonly set: (changes: Readonly<Record<string, string | undefined>>) => void;
  /** Goes to another page; the chosen entity stays in the address. */
  readonly go: (to: string, search?: Readonly<Record<string, string | undefined>>) => void;
};

/** Where we are, and how to go elsewhere. */
export function useAddress(): Address {
  const { pathname } = useLocation();
  const params = useParams({ strict: false }) as Readonly<Record<string, string>>;
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const set = useCallback<Address['set']>(
    (changes) => void navigate({ to: '.', search: (before: Search) => ({ ...before, ...changes }), replace: true }),
    [navigate],
  );
  const go = useCallback<Address['go']>((to, wanted = {}) => void navigate({ to, search: wanted }), [navigate]);
  return { path: pathname, params, search, set, go };
}

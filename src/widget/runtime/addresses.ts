import type { Given } from './contract.ts';

/** Loader and runtime ask for the same things: a browser that was asked by one of them has the answer for the other. */

const STYLES: readonly unknown[] = ['card', 'plain', 'logos'];

/** What a checkout is about, with its amount as a language writes it. */
export function sessionAddress({ origin, checkoutId }: Given, locale: unknown): string {
  const query = typeof locale === 'string' && locale !== '' ? `?locale=${encodeURIComponent(locale)}` : '';
  return `${origin}/v1/checkouts/${encodeURIComponent(checkoutId)}/widget${query}`;
}

/** The texts of a language. */
export const textsAddress = ({ origin, cacheVersion }: Given, language: string): string =>
  `${origin}/v1/static/${cacheVersion}/labels/${language}.json`;

/** The sheet of a style; `none` has none, and what is no style is the usual one. */
export const sheetAddress = ({ origin, cacheVersion }: Given, style: unknown): string | null =>
  style === 'none' ? null : `${origin}/v1/static/${cacheVersion}/css/${STYLES.includes(style) ? style : 'card'}.css`;

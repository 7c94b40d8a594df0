import { sheetAddress } from './addresses.ts';
import type { Given } from './contract.ts';
import type { Life } from './life.ts';

const LOAD_MS_MAX = 3_000;

/** How many checkouts of the page use a sheet; the last one takes it away. */
const users = new WeakMap<HTMLLinkElement, number>();

/** A sheet on its way: `come` settles in any case, since a sheet that does not come must not keep the form from coming. */
export type Stylesheet = { readonly come: Promise<void>; drop(): void };

function linkOf(document: Document, nonce: string | null, href: string): HTMLLinkElement {
  const there = [...document.querySelectorAll<HTMLLinkElement>('link[data-turnpike]')].find((link) => link.href === href);
  if (there) return there;
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  link.dataset.turnpike = 'style';
  if (nonce) link.nonce = nonce;
  // Before the page's own, so that the shop's rules of the same weight win.
  document.head.prepend(link);
  return link;
}

function arrival(life: Life, link: HTMLLinkElement): Promise<void> {
  if (link.sheet !== null) return Promise.resolve();
  return new Promise((resolve) => {
    life.listen(link, 'load', () => resolve());
    life.listen(link, 'error', () => resolve());
    life.after(LOAD_MS_MAX, resolve);
    life.onEnd(resolve);
  });
}

/** Adds the sheet of a style; `none` has none. */
export function addStylesheet(life: Life, document: Document, { given, style }: { given: Given; style: unknown }): Stylesheet {
  const address = sheetAddress(given, style);
  if (address === null) return { come: Promise.resolve(), drop() {} };
  const link = linkOf(document, given.nonce, address);
  let isUsed = true;
  users.set(link, (users.get(link) ?? 0) + 1);
  const drop = (): void => {
    if (!isUsed) return;
    isUsed = false;
    const left = (users.get(link) ?? 1) - 1;
    users.set(link, left);
    if (left <= 0) link.remove();
  };
  life.onEnd(drop);
  return { come: arrival(life, link), drop };
}

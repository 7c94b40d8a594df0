import type { FromFrame, ToFrame } from '../protocol.ts';
import type { Place } from './place.ts';
import { seal } from './seal.ts';
import { askSiblings, type Part } from './siblings.ts';

type Wish = Extract<ToFrame, { readonly is: 'seal' }>;

/** What a page may add to the fields of frames; a frame's own word counts more. */
const OF_PAGE = ['card.holder', 'card.expiryMonth', 'card.expiryYear'];

/** Gathers the fields of one form from its frames, and answers what the page is told about it. */
export async function sealGroup({ window, group, checkoutId }: Place, own: Part, wish: Wish): Promise<FromFrame> {
  const { turn } = wish;
  const parts = [own, ...askSiblings(window, group)];
  if (wish.group !== group || !parts.every(({ isValid }) => isValid)) return { is: 'unsealed', turn, because: 'invalid' };
  const ofPage = Object.fromEntries(Object.entries(wish.fields).filter(([name]) => OF_PAGE.includes(name)));
  // This frame's own value counts first, then those of its siblings in their order, the page's last.
  const fields: Record<string, string> = Object.assign(ofPage, ...parts.map(({ values }) => values).reverse());
  const answer = await seal({ checkoutId: wish.checkoutId ?? checkoutId, openedFor: checkoutId, fields });
  return 'sealed' in answer ? { is: 'sealed', turn, ...answer } : { is: 'unsealed', turn, ...answer };
}

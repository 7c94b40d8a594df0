import type { Store } from '../store.ts';
import { sum } from './merges.ts';
import { type Cells, control, ofFilter, type Route, special, storesOf } from './route.ts';

/**
 * Control has the webhooks. Each cell has a copy of the row, which its deliveries are joined with: it decides which events came before the
 * webhook, and that none is delivered after it was removed. What may change about a webhook is read in control alone.
 */
const copiesOf = (cells: Cells): readonly Store[] => storesOf(cells).filter((store) => store !== cells.control);

type OfWebhooks = 'webhooks' | 'addWebhook' | 'saveWebhook' | 'removeWebhook' | 'passEvents';

export const webhookRoutes: { readonly [M in OfWebhooks]: Route<M> } = {
  webhooks: control(),
  // The copies first: a webhook that is listed receives the events of every merchant. One that only cells know receives nothing.
  addWebhook: special((cells) => async (webhook) => {
    await Promise.all(copiesOf(cells).map((store) => store.addWebhook(webhook)));
    await cells.control.addWebhook(webhook);
  }),
  saveWebhook: control(),
  // The copies first: a removal that fails is listed still, and is repeated.
  removeWebhook: special((cells) => async (id) => {
    await Promise.all(copiesOf(cells).map((store) => store.removeWebhook(id)));
    return cells.control.removeWebhook(id);
  }),
  // A webhook that is listed has its copy in every cell.
  passEvents: ofFilter((merchants) => merchants, sum),
};

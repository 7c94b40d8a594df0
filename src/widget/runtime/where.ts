import type { WidgetSession } from '../../spec/widget.ts';
import type { Options } from '../options.ts';
import type { PaymentForm } from './contract.ts';

/** A frame inside the page, or a tab that is ours alone: the gateway answers them differently. */
export type Flow = 'frame' | 'tab';

/** What asking for the target of a form needs. */
export type Asking = {
  readonly form: PaymentForm;
  readonly session: WidgetSession;
  readonly options: Options;
  readonly window: Window;
  /** The name of our own frame beside the form. */
  readonly ownName: string;
  /** The page lets no frame of ours in. */
  readonly isBlocked: boolean;
};

/** Brands whose own pages take the shopper away. Most of them refuse to be shown inside another page. */
const away: ReadonlySet<string> = new Set(['onlineTransfer', 'virtualAccount', 'invoice', 'prepayment']);
const cards: ReadonlySet<string> = new Set(['card', 'registration']);

/** Where a form is sent to: cards as the shop wishes, brands with a page of their own into the tab unless the shop wants them inline. */
export function targetOf({ form, session, options, window, ownName, isBlocked }: Asking): string {
  const wished = cards.has(form.key) ? options.paymentTarget : undefined;
  if (wished) return wished === window.name ? '_self' : wished;
  const [brand] = form.brands;
  const kind = session.brands.find(({ name }) => name === brand)?.form;
  const isInline = form.brands.some((name) => options.inlineFlow?.includes(name));
  const isAway = !cards.has(form.key) && kind !== undefined && away.has(kind) && !isInline;
  return isBlocked || isAway ? '_top' : ownName;
}

/** How the gateway has to answer into a target: only a frame right inside this page can tell this page. */
export function flowOf(target: string, document: Document): Flow {
  if (target === '' || target.startsWith('_')) return 'tab';
  const frames = [...document.querySelectorAll<HTMLIFrameElement>('iframe, frame')];
  return frames.some(({ name }) => name === target) ? 'frame' : 'tab';
}

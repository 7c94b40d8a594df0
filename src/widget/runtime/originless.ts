import type { Surroundings } from './contract.ts';
import { widgetError } from './errors.ts';

const SAYS =
  'This page has no origin: it is in a sandbox, or was handed to an app as text. The fields for cards do not answer it. ' +
  "Load it from an address of its own, or name null in the channel's setting widgetOrigins";

/** Whether the fields for cards will not answer this page: they answer by name, and it has none. */
export const isFramesRefused = ({ window, session }: Pick<Surroundings, 'window' | 'session'>): boolean =>
  window.origin === 'null' && !session.mayLackOrigin;

/** Tells those who build the page why no card can be paid with in it. */
export function tellRefusal({ fail }: Pick<Surroundings, 'fail'>): void {
  fail(widgetError('PciIframeCommunicationError', SAYS, { event: 'origin' }));
}

/** The brands whose forms have no such fields. */
export const withoutFrames = ({ session }: Pick<Surroundings, 'session'>, brands: readonly string[]): readonly string[] =>
  brands.filter((brand) => session.brands.some(({ name, form }) => name === brand && form !== 'card'));

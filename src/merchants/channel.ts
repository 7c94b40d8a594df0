import type { CodeThat } from '../spec/resultCodes.ts';
import type { EntityState, Settings } from './settings.ts';

/** Where a merchant takes payments: one shop, one terminal, one contract. All the domain needs to know, settings resolved. */
export type Channel = Omit<Settings, 'dispatch' | 'approvals' | 'settlement' | 'reconciliation' | 'accounts'> & {
  readonly entityId: string;
  readonly merchantId: string;
  readonly name: string;
};

/** The input of dispatching; for a reference the channel of the referenced payment, null when that is unknown. */
export type DispatchRequest =
  | { readonly is: 'new'; readonly brand: string | null; readonly currency: string | null }
  | { readonly is: 'reference'; readonly entityId: string | null };

type Refusal = CodeThat<'refused'>;
export type DispatchResult =
  | { readonly is: 'channel'; readonly channel: Channel }
  | { readonly is: 'refused'; readonly refusal: Refusal };

const closed: Readonly<Record<Exclude<EntityState, 'active'>, Refusal>> = {
  disabled: '500.100.201',
  new: '500.100.202',
  closed: '500.100.203',
};

const refused = (refusal: Refusal): DispatchResult => ({ is: 'refused', refusal });

const opened = (channel: Channel): DispatchResult =>
  channel.state === 'active' ? { is: 'channel', channel } : refused(closed[channel.state]);

const takes = (list: readonly string[] | null, sent: string | null): boolean =>
  list === null || (sent !== null && list.includes(sent));

function suits(channel: Channel, wanted: DispatchRequest): boolean {
  if (channel.state !== 'active') return false;
  // Any channel can refuse an unknown payment.
  return wanted.is === 'reference' || (takes(channel.brands, wanted.brand) && takes(channel.currencies, wanted.currency));
}

/** A channel, or a merchant with its channels in the order of dispatching. */
type Dispatching = {
  readonly kind: string;
  readonly channel: Channel | null;
  readonly channels: readonly Channel[];
  readonly settings: Pick<Settings, 'dispatch' | 'state'>;
};

/**
 * The channel that takes a request. A channel that is named takes it itself. For a merchant with dispatching it is the channel of
 * the referenced payment, otherwise the first active one that takes brand and currency, by priority and then by entityId.
 */
export function dispatch(entity: Dispatching, wanted: DispatchRequest): DispatchResult {
  if (entity.channel) return opened(entity.channel);
  if (entity.kind !== 'merchant' || !entity.settings.dispatch) return refused('800.900.201');
  if (entity.settings.state !== 'active') return refused(closed[entity.settings.state]);
  const referenced = wanted.is === 'reference' ? entity.channels.find(({ entityId }) => entityId === wanted.entityId) : undefined;
  if (referenced) return opened(referenced);
  const channel = entity.channels.find((other) => suits(other, wanted));
  return channel ? { is: 'channel', channel } : refused('800.160.110');
}

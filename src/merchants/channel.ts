import type { CardNumberMode } from '../spec/cards/cardNumbers.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { ModuleSettings } from './moduleSettings.ts';
import type { Connectors, EntityState, MerchantAccount, Settings, Throttle } from './settings.ts';
import type { WalletSettings } from './walletSettings.ts';

/** Where a merchant takes payments: one shop, one terminal, one contract. All the domain needs to know, settings resolved. */
export type Channel = {
  readonly entityId: string;
  readonly merchantId: string;
  readonly name: string;
  /** Descriptive fields are accepted as existing clients send them; see `lenient` in spec/row.ts. */
  readonly isLenient: boolean;
  /** 3D Secure is set up: an enrolled card is authenticated. */
  readonly threeDSecure: boolean;
  /** Which connector takes which method; a method without one is not set up. */
  readonly connectors: Connectors;
  /** Rules that choose among accounts, before `connectors`. */
  readonly routing?: ModuleSettings;
  /** The accepted brands and currencies; null: all. */
  readonly brands: readonly string[] | null;
  readonly currencies: readonly string[] | null;
  readonly state: EntityState;
  readonly throttle: Throttle;
  readonly timeZone: string;
  /** Where shoppers may be sent after paying elsewhere; null: wherever the merchant says. */
  readonly shopperResultHosts: readonly string[] | null;
  /** The pages that may show the payment widget, as origins; null: any. */
  readonly widgetOrigins: readonly string[] | null;
  /** Chargebacks and the like may be recorded by the API; null: in the test environment only. */
  readonly recordsByApi?: boolean | null;
  /** Days for which authorisations are valid, by brand, by method or as `default`, instead of the table of spec/validity.ts. */
  readonly authorisationDays?: Readonly<Record<string, number>>;
  /** A checkout's form may carry card fields in clear; null: in the test environment only. */
  readonly plainCardForms?: boolean | null;
  /** The account that shoppers transfer money to; null: in the test environment that of the simulator, in live none. */
  readonly bankAccount?: MerchantAccount | null;
  /** The treatment of card numbers in free text; default: mask. */
  readonly cardNumbersInText?: CardNumberMode;
  /** Dispatching tries the channels of a merchant in this order, the lowest first; equal ones by entityId. */
  readonly priority: number;
  /** The accepted wallets and their setup. */
  readonly wallets: WalletSettings;
  /** The settings of the risk, 3D Secure and schedules modules, which read them. */
  readonly risk: ModuleSettings;
  readonly threeDS: ModuleSettings;
  readonly schedules: ModuleSettings;
  /** The scenarios of the simulators. */
  readonly scenarios?: ModuleSettings;
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

import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Amount } from '../money/amount.ts';
import {
  type Instrument,
  instrumentOf,
  payerOf,
  personalOf,
  type Secrets,
  scrubbed,
  secretsOf,
  walletInstrument,
  walletSecrets,
} from '../registrations/instrument.ts';
import type { Mode, Registration } from '../registrations/registration.ts';
import { noteNames, setField } from '../runtime/json.ts';
import { inOneGo, inParts, type Rest, type Work } from '../runtime/ticks.ts';
import { brands } from '../spec/cards/brands.ts';
import { detectBrand } from '../spec/cards/cardRanges.ts';
import { parameters } from '../spec/parameters.ts';
import {
  AUTHENTICATION,
  type MethodCode,
  type PaymentType,
  type RecordedType,
  RISK_CHECK,
  type TypeAlias,
  typeAliases,
} from '../spec/paymentTypes.ts';
import type { CodeThat } from '../spec/resultCodes.ts';
import type { Row } from '../spec/row.ts';
import { requiredWhen } from '../spec/rules/rule.ts';
import type { TokenUse } from '../wallets/ports.ts';
import type { WalletCard, WalletName } from '../wallets/wallet.ts';
import type { StandingInstruction } from './ports.ts';
import { isAllowedHost } from './resultUrl.ts';
import { instructionOf, withAssumedAgreement } from './series.ts';

export type Environment = 'test' | 'live';

const NO_RECURRING_TYPE = {
  brand: requiredWhen('standingInstruction.mode is sent and the stored brand asks for it'),
  country: requiredWhen('standingInstruction.type is RECURRING and the card was issued in a country that asks for it (IN)'),
};

/** Only `pay` charges anything: the others store the instrument, authenticate the cardholder, or judge the risk. */
export type Purpose = 'pay' | 'register' | 'authenticate' | 'assess';

/** A result code with which the gateway itself refuses a request. */
export type Refusal = CodeThat<'refused'>;

/** A merchant's request in the types of the domain: made once from the checked request, then never changed. */
export type Order = {
  readonly merchantId: string;
  readonly entityId: string;
  /** RG stores the instrument and charges nothing. */
  readonly paymentType: PaymentType | RecordedType | 'RG' | typeof AUTHENTICATION | typeof RISK_CHECK;
  /** Null only for a reversal that takes back all there is. */
  readonly amount: Amount | null;
  readonly currency: string | null;
  readonly paymentBrand: string | null;
  /** The brand was detected from the number. */
  readonly isBrandDetected: boolean;
  readonly method: MethodCode;
  readonly mode: Mode;
  /** testMode was sent to the live environment, which refuses it. */
  readonly isTestInLive: boolean;
  readonly referencedId: string | null;
  /** The reference was sent as `referenceUuid`: where it names nothing, the parameter is at fault. */
  readonly isReferenceSent?: boolean;
  readonly practice: string | null;
  readonly isLast: boolean;
  readonly numberOfCaptures: number | null;
  readonly merchantTransactionId: string | null;
  readonly descriptor: string | null;
  readonly instrument: Instrument | null;
  readonly secrets: Secrets;
  /** The standing instruction as it was sent. */
  readonly instruction: StandingInstruction | null;
  /** The stored details that are charged. */
  readonly registration: Registration | null;
  /** The instrument is to be stored. */
  readonly isStoring: boolean;
  /** The wallet token that pays. */
  readonly tokenUse: TokenUse | null;
  /** Reads any parameter of the request, also one that is not kept. */
  readonly read: (name: string) => string | undefined;
  /** The address under which the request reached the gateway. */
  readonly origin: string;
  /** The checkout in which it is made. */
  readonly checkoutId: string | null;
  /** A refusal that is known before the decision. */
  readonly refusal: Refusal | null;
  readonly fields: Readonly<Record<string, string>>;
};

/** A registration opened for one payment; without a registration there is only the refusal. */
export type OpenedRegistration = {
  readonly registration: Registration | null;
  readonly secrets: Secrets;
  readonly refusal: Refusal | null;
};

/** A wallet's token, opened. */
export type WalletPayment = { readonly wallet: WalletName; readonly card: WalletCard };

export type OrderContext = {
  readonly channel: Pick<Channel, 'entityId' | 'merchantId' | 'isLenient' | 'shopperResultHosts'>;
  readonly environment: Environment;
  /** The id of the referenced payment, from the path or `referenceUuid`. */
  readonly referencedId: string | null;
  readonly isReferenceSent?: boolean;
  readonly origin?: string;
  readonly checkoutId?: string | null;
  readonly purpose?: Purpose;
  readonly stored?: OpenedRegistration | null;
  readonly wallet?: WalletPayment | null;
  /** The country in which a card was issued, by its BIN; null: not known. */
  readonly issuerCountry?: (bin: string) => string | null;
  /** The echoed fields, where `echoInSlices` has made them. */
  readonly echo?: Echo;
};

/** Parameters in columns of their own, or not needed after the request. Every other parameter that is no secret is stored and echoed. */
const NOT_ECHOED: ReadonlySet<string> = new Set([
  'entityId',
  'authentication.userId',
  'authentication.entityId',
  'amount',
  'currency',
  'paymentType',
  'paymentBrand',
  'merchantTransactionId',
  'descriptor',
  'testMode',
  'integrity',
  'createRegistration',
  'overrideHolder',
  'sequence',
  'numberOfCaptures',
  'referenceUuid',
  'registrationId',
  'card.holder',
  'card.expiryMonth',
  'card.expiryYear',
  'bankAccount.holder',
  'bankAccount.bankName',
  'bankAccount.bankCode',
  'bankAccount.bic',
  'bankAccount.country',
  'virtualAccount.accountId',
  'tokenAccount.type',
  'tokenAccount.expiryMonth',
  'tokenAccount.expiryYear',
]);

/** `faulty`: nothing is kept of the request. */
export type OrderResult =
  | { readonly is: 'order'; readonly order: Order }
  | { readonly is: 'faulty'; readonly faults: readonly Fault[] };

const faulty = (name: string, value: string | null, message: string): OrderResult => ({
  is: 'faulty',
  faults: [{ name, value, message }],
});

/** Builds the order from a checked request. Its faults cannot be expressed by rows of the specification. */
export function orderOf(checked: Checked, context: OrderContext): OrderResult {
  const { channel, environment, stored = null, wallet = null, purpose = 'pay' } = context;
  const isRegistering = purpose === 'register';
  const isStoring =
    isRegistering ||
    (stored === null && purpose === 'pay' && context.referencedId === null && checked.get('createRegistration') === true);
  const instrument = chargedInstrument(checked, stored, wallet) ?? (isStoring ? payerOf(checked) : null);
  const secrets = chargedSecrets(checked, stored, wallet);
  const brand = stored ? (stored.registration?.paymentBrand ?? null) : brandOf(checked, instrument, secrets);
  if (brand === 'untold') {
    return faulty('paymentBrand', null, 'must be set: the card number does not tell the brand');
  }
  const instruction = instructionFor(checked, brand, context);
  const isSeries = checked.get('standingInstruction.mode') !== undefined;
  const without = isSeries ? recurringTypeAsker(instruction, { ...context, brand, instrument }) : null;
  if (without !== null) return faulty('standingInstruction.recurringType', null, NO_RECURRING_TYPE[without]);
  const wayBack = checked.text('shopperResultUrl');
  if (wayBack !== undefined && !isAllowedHost(wayBack, channel.shopperResultHosts)) {
    return faulty('shopperResultUrl', wayBack, 'must be on a host that the entity has listed');
  }
  const testMode = checked.get('testMode');
  const echo = context.echo ?? inOneGo(echoing(checked, secrets));
  if (wallet?.card.eci) setField(echo, 'threeDSecure.eci', wallet.card.eci);
  const order: Order = {
    merchantId: channel.merchantId,
    entityId: channel.entityId,
    paymentType: typeOf(checked, purpose),
    amount: isRegistering ? 0n : (checked.get('amount') ?? null),
    currency: isRegistering ? null : (checked.get('currency') ?? null),
    paymentBrand: brand,
    isBrandDetected: brand !== null && stored === null && checked.get('paymentBrand') === undefined,
    method: stored?.registration?.method ?? methodOf(brand, instrument),
    mode: environment === 'live' ? 'LIVE' : (testMode ?? 'INTERNAL'),
    isTestInLive: environment === 'live' && testMode !== undefined,
    referencedId: context.referencedId ?? checked.get('referenceUuid') ?? null,
    isReferenceSent: context.isReferenceSent ?? checked.get('referenceUuid') !== undefined,
    practice: practiceOf(checked, purpose),
    isLast: checked.get('sequence') === 'FINAL',
    numberOfCaptures: checked.get('numberOfCaptures') === undefined ? null : Number(checked.get('numberOfCaptures')),
    merchantTransactionId: scrubbed(checked.get('merchantTransactionId') ?? null, secrets),
    descriptor: scrubbed(checked.get('descriptor') ?? null, secrets),
    instrument: instrument && withScrubbedHolder(instrument, secrets),
    secrets,
    instruction,
    registration: stored?.registration ?? null,
    isStoring,
    tokenUse: wallet && { wallet: wallet.wallet, tokenId: wallet.card.tokenId, until: wallet.card.validUntil },
    read: checked.text,
    origin: context.origin ?? '',
    checkoutId: context.checkoutId ?? null,
    refusal: stored?.refusal ?? null,
    fields: echo,
  };
  return { is: 'order', order };
}

const withoutPayment = { register: 'RG', authenticate: AUTHENTICATION, assess: RISK_CHECK } as const;

function typeOf(checked: Checked, purpose: Purpose): Order['paymentType'] {
  if (purpose !== 'pay') return withoutPayment[purpose];
  const sent = checked.get('paymentType') as PaymentType | RecordedType | TypeAlias;
  return sent === 'PA.CP' ? typeAliases[sent] : sent;
}

function instructionFor(checked: Checked, brand: string | null, { stored, channel }: OrderContext): StandingInstruction | null {
  const sent = instructionOf(checked.text, brand);
  const registration = stored?.registration ?? null;
  const isAssumed = channel.isLenient && checked.get('recurringType') === 'REPEATED';
  return sent && registration && isAssumed ? withAssumedAgreement(sent, registration) : sent;
}

/**
 * The reason why a series needs the recurringType that it lacks; null: there is none. One network requires it with every payment of a
 * series: where the card is sent, a rule requires it; here the stored brand decides. Another requires it for cards that were issued in some
 * countries.
 */
function recurringTypeAsker(
  instruction: StandingInstruction | null,
  { stored, channel, brand, instrument, issuerCountry }: SeriesContext,
): keyof typeof NO_RECURRING_TYPE | null {
  if (channel.isLenient) return null;
  const registration = stored?.registration ?? null;
  if ((instruction?.recurringType ?? registration?.series?.recurringType ?? null) !== null) return null;
  const { seriesDefaults = null, recurringTypeIn = [] } = brands[brand ?? ''] ?? {};
  if (registration && seriesDefaults !== null) return 'brand';
  if (instruction?.type !== 'RECURRING' || recurringTypeIn.length === 0 || instrument?.kind !== 'card') return null;
  const country = instrument.bin === null ? null : issuerCountry?.(instrument.bin);
  return recurringTypeIn.includes(country ?? '') ? 'country' : null;
}

type SeriesContext = OrderContext & { readonly brand: string | null; readonly instrument: Instrument | null };

function chargedInstrument(checked: Checked, stored: OpenedRegistration | null, wallet: WalletPayment | null): Instrument | null {
  if (stored) return stored.registration && withHolder(stored.registration.instrument, checked);
  return wallet ? walletInstrument(wallet.card, checked) : instrumentOf(checked);
}

type HeldInstrument = Extract<Instrument, { readonly kind: 'card' | 'bankAccount' }>;
const hasHolder = (instrument: Instrument): instrument is HeldInstrument =>
  instrument.kind === 'card' || instrument.kind === 'bankAccount';

function withScrubbedHolder(instrument: Instrument, secrets: Secrets): Instrument {
  if (!hasHolder(instrument)) return instrument;
  const holder = scrubbed(instrument.holder, secrets);
  return holder === instrument.holder ? instrument : { ...instrument, holder };
}

/** `overrideHolder` fills a holder that was not stored, for this one payment. */
function withHolder(instrument: Instrument, checked: Checked): Instrument {
  if (checked.get('overrideHolder') !== true || !hasHolder(instrument) || instrument.holder !== null) return instrument;
  return { ...instrument, holder: checked.get(`${instrument.kind}.holder`) ?? null };
}

/** The security code and the one-time values of a token are never stored: they come with the request. */
function chargedSecrets(checked: Checked, stored: OpenedRegistration | null, wallet: WalletPayment | null): Secrets {
  const personal = personalOf(checked);
  const secrets = instrumentSecrets(checked, stored, wallet);
  return personal === undefined ? secrets : { ...secrets, personal };
}

function instrumentSecrets(checked: Checked, stored: OpenedRegistration | null, wallet: WalletPayment | null): Secrets {
  if (wallet) return walletSecrets(wallet.card);
  return stored ? { ...secretsOf(checked), ...stored.secrets } : secretsOf(checked);
}

/** A capture or refund of a charge made under a practice is a plain capture or refund. */
function practiceOf(checked: Checked, purpose: Purpose): string | null {
  const practice = checked.get('standingInstruction.industryPractice');
  if (practice === undefined || purpose !== 'pay') return null;
  const type = typeOf(checked, purpose);
  return type === 'PA' || type === 'DB' ? practice : null;
}

function brandOf(checked: Checked, instrument: Instrument | null, { number }: Secrets): string | null | 'untold' {
  const sent = checked.get('paymentBrand');
  if (sent !== undefined) return sent;
  if (instrument?.kind !== 'card') return null;
  return detectBrand(number ?? '') ?? 'untold';
}

function methodOf(brand: string | null, instrument: Instrument | null): MethodCode {
  const known = brand === null ? undefined : brands[brand];
  if (known) return known.method;
  return instrument?.kind === 'bankAccount' ? 'DD' : instrument?.kind === 'virtualAccount' ? 'VA' : 'CC';
}

/** The rows whose texts are echoed. */
const ECHOED: ReadonlySet<string> = new Set(
  Object.entries(parameters as Readonly<Record<string, Row<unknown>>>)
    .filter(([name, { secret }]) => !NOT_ECHOED.has(name) && secret === undefined)
    .map(([name]) => name),
);

type Echo = Record<string, string>;

/** A plain object: no row has a name that every object has, and one without a prototype takes far longer to write as JSON. */
function* echoing(checked: Checked, secrets: Secrets): Work<Echo> {
  const echo: Echo = {};
  const names: string[] = [];
  yield* checked.visit((name, text, rowName) => {
    if (!ECHOED.has(rowName)) return;
    echo[name] = scrubbed(text, secrets);
    names.push(name);
  });
  yield;
  if (checked.rest) noteNames(echo, names);
  return echo;
}

/** The echoed fields of a long form, for `orderOf`; other requests come in between. */
export const echoInSlices = (
  checked: Checked,
  rest: Rest,
  { stored = null, wallet = null }: Pick<OrderContext, 'stored' | 'wallet'>,
): Promise<Echo> => inParts(echoing(checked, chargedSecrets(checked, stored, wallet)), rest);

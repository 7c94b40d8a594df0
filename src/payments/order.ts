import type { Checked, Fault } from '../form/checked.ts';
import type { Channel } from '../merchants/channel.ts';
import type { Amount } from '../money/amount.ts';
import { brands } from '../spec/brands.ts';
import { detectBrand } from '../spec/cardRanges.ts';
import type { MethodCode } from '../spec/methods.ts';
import { parameters } from '../spec/parameters.ts';
import type { PaymentType } from '../spec/paymentTypes.ts';
import { instrumentOf, secretsOf } from './instrument.ts';
import type { Secrets } from './needs.ts';
import type { Instrument, Mode } from './payment.ts';

export type Environment = 'test' | 'live';

/** What a merchant asks for, in the words of the domain: made once from the checked request, then never changed. */
export type Order = {
  readonly merchantId: string;
  readonly entityId: string;
  readonly paymentType: PaymentType;
  /** Null only for a reversal that takes back all there is. */
  readonly amount: Amount | null;
  readonly currency: string | null;
  readonly paymentBrand: string | null;
  /** True when the number told the brand, not the merchant. */
  readonly isBrandDetected: boolean;
  readonly method: MethodCode;
  readonly mode: Mode;
  /** testMode was sent to the live environment, which declines it. */
  readonly isTestInLive: boolean;
  readonly referencedId: string | null;
  readonly practice: string | null;
  readonly isLast: boolean;
  readonly numberOfCaptures: number | null;
  readonly merchantTransactionId: string | null;
  readonly descriptor: string | null;
  readonly instrument: Instrument | null;
  readonly secrets: Secrets;
  readonly fields: Readonly<Record<string, string>>;
};

export type OrderContext = {
  readonly channel: Pick<Channel, 'entityId' | 'merchantId'>;
  readonly environment: Environment;
  /** The id in the path, when there is one. */
  readonly referencedId: string | null;
};

/** Kept in columns of their own or of no use after the request; everything else that is no secret is stored and echoed. */
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

/** Reads the order off a checked request; faults only where the brand of a card cannot be told. */
export function orderOf(checked: Checked, context: OrderContext): Order | { readonly faults: readonly Fault[] } {
  const { channel, environment } = context;
  const instrument = instrumentOf(checked);
  const brand = brandOf(checked, instrument);
  if (brand === 'untold') {
    return { faults: [{ name: 'paymentBrand', value: null, message: 'must be set: the card number does not tell the brand' }] };
  }
  const testMode = checked.get('testMode');
  return {
    merchantId: channel.merchantId,
    entityId: channel.entityId,
    paymentType: checked.get('paymentType') as PaymentType,
    amount: checked.get('amount') ?? null,
    currency: checked.get('currency') ?? null,
    paymentBrand: brand,
    isBrandDetected: brand !== null && checked.get('paymentBrand') === undefined,
    method: methodOf(brand, instrument),
    mode: environment === 'live' ? 'LIVE' : (testMode ?? 'INTERNAL'),
    isTestInLive: environment === 'live' && testMode !== undefined,
    referencedId: context.referencedId ?? checked.get('referenceUuid') ?? null,
    practice: practiceOf(checked),
    isLast: checked.get('sequence') === 'FINAL',
    numberOfCaptures: checked.get('numberOfCaptures') === undefined ? null : Number(checked.get('numberOfCaptures')),
    merchantTransactionId: checked.get('merchantTransactionId') ?? null,
    descriptor: checked.get('descriptor') ?? null,
    instrument,
    secrets: secretsOf(checked),
    fields: echoOf(checked),
  };
}

/** A capture or refund of a charge made under a practice is a plain capture or refund. */
function practiceOf(checked: Checked): string | null {
  const stands = ['PA', 'DB'].includes(checked.get('paymentType') ?? '');
  return stands ? (checked.get('standingInstruction.industryPractice') ?? null) : null;
}

function brandOf(checked: Checked, instrument: Instrument | null): string | null | 'untold' {
  const sent = checked.get('paymentBrand');
  if (sent !== undefined) return sent;
  if (instrument?.kind !== 'card') return null;
  return detectBrand(checked.get('card.number') ?? '') ?? 'untold';
}

function methodOf(brand: string | null, instrument: Instrument | null): MethodCode {
  const known = brand === null ? undefined : brands[brand];
  if (known) return known.method;
  return instrument?.kind === 'bankAccount' ? 'DD' : instrument?.kind === 'virtualAccount' ? 'VA' : 'CC';
}

function echoOf(checked: Checked): Record<string, string> {
  const echo: Record<string, string> = Object.create(null);
  for (const [name, text] of checked.fields) {
    const rowName = checked.rowOf(name);
    if (NOT_ECHOED.has(rowName) || parameters[rowName].secret) continue;
    echo[name] = text;
  }
  return echo;
}

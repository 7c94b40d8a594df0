import type { Fault } from '../form/checked.ts';
import type { Decoded } from '../form/decode.ts';
import { namesOf } from '../runtime/json.ts';
import { canonical } from '../spec/aliases.ts';
import { detectBrand } from '../spec/cards/cardRanges.ts';
import { type Checkout, offered } from './checkout.ts';
import type { CheckoutService } from './ports.ts';

type Keeps = (name: string) => boolean;

/** A form that is put together of fields that were checked before, to be checked as a whole. */
type Form = {
  readonly fields: ReadonlyMap<string, string>;
  /** The last value of a name counts. */
  put(fields: Texts, keeps?: Keeps): void;
  /** The same for fields that may be many: these are put in slices, and other requests come in between. */
  putMany(fields: Texts, keeps?: Keeps): Promise<void>;
  /** A long form is also checked in slices. */
  decoded(): Decoded;
};

/** As many fields as are put in a millisecond. */
const SLICE_FIELDS = 2_000;

export function createForm(rest: () => Promise<void>): Form {
  const fields = new Map<string, string>();
  let isLong = false;
  const putSlice = (names: readonly string[], texts: Texts, keeps: Keeps | undefined): void => {
    for (const name of names) if (keeps === undefined || keeps(name)) fields.set(name, texts[name] as string);
  };
  return {
    fields,
    put: (texts, keeps) => putSlice(namesOf(texts), texts, keeps),
    async putMany(texts, keeps) {
      await eachSlice(namesOf(texts), rest, (names) => putSlice(names, texts, keeps));
      isLong ||= fields.size > SLICE_FIELDS;
    },
    decoded: () => ({ fields, repeated: new Set(), faults: [], isWhole: true, ...(isLong && { rest }) }),
  };
}

/** Visits names slice by slice, each in a tick of its own; a few of them in one go. */
export async function eachSlice(
  names: readonly string[],
  rest: () => Promise<void>,
  visit: (names: readonly string[]) => void,
): Promise<void> {
  if (names.length <= SLICE_FIELDS) return visit(names);
  for (let from = 0; from < names.length; from += SLICE_FIELDS) {
    await rest();
    visit(names.slice(from, from + SLICE_FIELDS));
  }
  await rest();
}

export type Texts = Readonly<Record<string, string>>;

/** The parameters with which a payment of the checkout is requested. */
export type CheckoutRequest = {
  /** A whole request: the merchant's prepared parameters and the shopper's. */
  readonly form: Form;
  /** The stored details that the shopper has chosen. */
  readonly registrationId: string | null;
  readonly isRegistering: boolean;
  readonly brand: string | null;
};

/** Of the checkout itself, not of a payment. */
const isOfCheckout = (name: string): boolean =>
  name === 'integrity' || name.startsWith('registrations[') || name.startsWith('overridePaymentType[');

/** Stored details pay alone; of the form only the security code and, where it is allowed, a holder go with them. */
const isInstrument = (name: string): boolean =>
  name === 'paymentBrand' ||
  (/^(?:card|bankAccount|virtualAccount|walletA|walletB|walletC|applePay|googlePay|samsungPay|giftCard)\./.test(name) &&
    name !== 'card.cvv' &&
    name !== 'card.holder');

type Parts = {
  /** The sealed part of the merchant's prepared parameters. */
  readonly secrets: Texts;
  readonly posted: Texts;
  /** The sealed values of the field frames. */
  readonly card: Texts;
  readonly isRegistering: boolean;
  /** The brand of stored details. */
  readonly brandOf: (registrationId: string) => string | null;
};

/** One request of what merchant, shopper and field frames have said. The merchant's word stands. */
export async function mergeRequest(
  { rest }: Pick<CheckoutService, 'rest'>,
  checkout: Checkout,
  { secrets, posted, card, isRegistering, brandOf }: Parts,
): Promise<CheckoutRequest> {
  const registrationId = isRegistering ? null : (card.registrationId ?? posted.registrationId ?? null);
  const isOwn = (name: string): boolean => name !== 'registrationId' && (registrationId === null || !isInstrument(name));
  const form = createForm(rest);
  form.put(posted, isOwn);
  form.put(card, isOwn);
  await form.putMany(checkout.fields, (name) => !isOfCheckout(name));
  form.put(secrets, (name) => !isOfCheckout(name));
  form.put({ entityId: checkout.entityId });
  const { fields } = form;
  const sent = fields.get('paymentBrand') ?? detectBrand(fields.get('card.number') ?? '') ?? null;
  const brand = registrationId === null ? sent : brandOf(registrationId);
  const override = checkout.fields[`overridePaymentType[${brand}]`];
  if (override !== undefined) form.put({ paymentType: override });
  return { form, registrationId, isRegistering, brand };
}

/** Whether the checkout offers these stored details. */
export const isOffered = (checkout: Checkout, registrationId: string): boolean =>
  offered(checkout).some(([, id]) => id === registrationId);

/**
 * The parameters of a payment that a shopper's browser may send. All others are dropped silently: shop systems put fields
 * of their own into every form, and an amount that is changed in the browser is ignored.
 */
const names: ReadonlySet<string> = new Set([
  'paymentBrand',
  'card.holder',
  'card.expiryMonth',
  'card.expiryYear',
  'createRegistration',
  'registrationId',
  'shopperResultUrl',
  'walletA.paymentToken',
  'walletA.cardNetwork',
  'walletA.cardType',
  'walletB.paymentToken',
  'walletC.paymentToken',
]);

const beginnings = [
  'bankAccount.',
  'virtualAccount.',
  'giftCard.',
  'customer.',
  'billing.',
  'shipping.',
  'cart.',
  'recurring.',
  'standingInstruction.',
  'customParameters[SHOPPER_',
] as const;

/** Sent by the merchant or known from the connection: a shopper who could set them would choose the risk checks. */
const notHis: ReadonlySet<string> = new Set([
  'customer.ip',
  'customer.merchantCustomerId',
  'customer.merchantReference',
  'customer.status',
  'standingInstruction.industryPractice',
  'standingInstruction.initialTransactionId',
]);

/** A payment without the shopper is not begun by the shopper: these would keep the bank from authenticating the shopper. */
const lies: Readonly<Record<string, string>> = {
  'standingInstruction.source': 'MIT',
  'standingInstruction.mode': 'REPEATED',
};

/** More than a widget asks for and a shop adds, a cart of some hundred items included. */
const FIELDS_MAX = 2_000;

/** The first field that is too much; null: there is none. */
export const excessField = (fields: ReadonlyMap<string, string>): Fault | null =>
  fields.size <= FIELDS_MAX
    ? null
    : {
        name: [...fields.keys()][FIELDS_MAX] as string,
        value: null,
        message: `must not be sent: at most ${FIELDS_MAX} fields are taken from a browser`,
      };

const mayName = (name: string): boolean =>
  !notHis.has(name) && (names.has(name) || beginnings.some((start) => name.startsWith(start)));

/** The fields of a form that a browser may send. `asked`: names that the widget asks for. A repeated field has its last value. */
export function fromBrowser(fields: ReadonlyMap<string, string>, asked: readonly string[]): Texts {
  const kept = [...fields].filter(([sent, text]) => {
    const name = canonical(sent);
    return text !== '' && lies[name] !== text && (mayName(name) || asked.includes(name));
  });
  return Object.fromEntries(kept);
}

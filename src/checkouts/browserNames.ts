import type { Fault } from '../form/checked.ts';
import { canonical } from '../spec/aliases.ts';
import type { Texts } from './merge.ts';

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

import type { WebhookPayload } from './payload.ts';

/**
 * What tells something about a person, by the names of the payload; a list counts as one of its entries. Whatever stands below goes with
 * it. Custom parameters stay: they are the merchant's own names for his own things, and often the only ones by which he knows an order.
 */
const persons: Readonly<Record<string, string>> = {
  customer: 'the shopper',
  billing: 'where he lives',
  shipping: 'where he, or whom he gives it to, lives',
  'merchant.billing': 'a person and his address too',
  'merchant.shipping': 'a person and his address too',
  corporate: 'the company he buys for, which may bear his name',
  sender: 'who sends money',
  recipient: 'who gets it',
  'card.holder': 'his name',
  'bankAccount.holder': 'his name',
  'virtualAccount.accountId': 'often his e-mail address',
  'virtualAccount.holder': 'his name',
  'giftCard.holder': 'whom it is for',
  'giftCard.message': 'what he writes to him',
  'airline.passengers': 'who flies, with birthday and telephone',
  'airline.agentName': 'who sold the ticket',
  'airline.ticketIssueAddress': 'where it was sold, or sent to',
  'airline.bookingRefNum': 'opens the booking of whoever flies',
  'cart.items.recipient': 'who gets the goods',
  'cart.items.giftMessage': 'what is written to him',
  'cart.items.shippingInstructions': 'often a name at a door',
  'cart.payments': 'what else he pays with',
  'threeDSecure.cardHolderInfo': 'what his bank tells him',
  'risk.parameters': 'what a shop knows about him',
  'risk.accountToken': 'his account at the shop',
};

/** The same message without anything about a person: the field set NON_CUSTOMER_DATA. */
export const withoutPersons = (notice: WebhookPayload): WebhookPayload => ({
  ...notice,
  payload: stripped(notice.payload, '') as Readonly<Record<string, unknown>>,
});

function stripped(value: unknown, path: string): unknown {
  if (Array.isArray(value)) return value.map((entry) => stripped(entry, path));
  if (typeof value !== 'object' || value === null) return value;
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`);
  const kept = Object.entries(value).filter(([name]) => !Object.hasOwn(persons, below(name)));
  const copy: Record<string, unknown> = Object.create(null);
  for (const [name, inner] of kept) copy[name] = stripped(inner, below(name));
  return copy;
}

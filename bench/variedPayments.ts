import { sandbox } from '../src/merchants/sandbox.ts';
import { passesLuhn } from '../src/spec/cards/cardRanges.ts';
import { encoded, type Fields, number, orderText, post, type Template, templateOf } from './request.ts';

/**
 * Payments that differ as those of shops do: in merchant, brand, amount, currency, shopper, address, cart and result. Every payment has a
 * card, an e-mail address and a network address of its own. A bench whose payments are all alike flatters code that folds equal lines.
 */

/** The result code of payments that are declined: one of twelve. */
export const DECLINED_CODE = '800.100.152';
const DECLINED_EVERY = 12;

const { demoShop, otherShop } = sandbox;
const channels = [
  { entityId: demoShop.channelId, token: demoShop.token },
  { entityId: otherShop.channelId, token: otherShop.token },
  { entityId: demoShop.lenientChannelId, token: demoShop.token },
] as const;

/** Brands with the beginning and the length of a number. */
const brands = [
  ['VISA', '420000', 16],
  ['MASTER', '545454', 16],
  ['AMEX', '377777', 15],
  ['JCB', '353011', 16],
  ['VISA', '411111', 16],
  ['MASTER', '520000', 16],
  ['DISCOVER', '601100', 16],
] as const;

const currencies = ['EUR', 'USD', 'GBP', 'EUR', 'CHF'] as const;

const shoppers = [
  ['Ann', 'Example', '17 Market Street', 'Springfield', '12345', 'DE'],
  ['Jean-Pierre', 'Moreau', '3 Rue des Lilas', 'Lyon', '69003', 'FR'],
  ['Zo\u00eb', 'M\u00fcller', 'Bahnhofstra\u00dfe 112', 'Z\u00fcrich', '8001', 'CH'],
  ['Bo', 'Li', '1600 Amphitheatre Parkway', 'Mountain View', '94043', 'US'],
  ['Alexandra', 'van der Berg-Konstantinopoulos', 'Keizersgracht 555', 'Amsterdam', '1017DR', 'NL'],
  ['Tom', 'Baker', '221b Baker Street', 'London', 'NW16XE', 'GB'],
  ['Ines', 'Garc\u00eda L\u00f3pez', 'Calle de Alcal\u00e1 45', 'Madrid', '28014', 'ES'],
  ['Mikko', 'Virtanen', 'Mannerheimintie 1', 'Helsinki', '00100', 'FI'],
] as const;

const items = ['Pen, blue', 'Notebook A5, dotted', 'Coffee 500 g', 'Bicycle light'] as const;

/** Up to three items of a cart. */
function cartOf(variant: number): Fields {
  const count = Math.floor(variant / 3) % 4;
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      [`cart.items[${at}].name`, items[(variant + at) % items.length] as string],
      [`cart.items[${at}].quantity`, String(1 + ((variant + at) % 3))],
      [`cart.items[${at}].price`, `${1 + ((variant * 7 + at) % 90)}.${10 + ((variant + at) % 90)}`],
    ]).flat() as [string, string][],
  );
}

const [EMAIL_DIGITS, IP] = ['00000000', '192.0.2.17'];

type Variant = Template & {
  readonly cardAt: number;
  readonly bin: string;
  readonly cardLength: number;
  readonly emailAt: number;
  readonly ipAt: number;
};

function variantOf(variant: number): Variant {
  const pick = <Item>(list: readonly Item[]): Item => list[variant % list.length] as Item;
  const { entityId, token } = pick(channels);
  const [paymentBrand, bin, cardLength] = pick(brands);
  const [givenName, surname, street1, city, postcode, country] = pick(shoppers);
  const card = bin.padEnd(cardLength, '0');
  const body = encoded({
    entityId,
    amount: `${1 + ((variant * 37) % 900)}.${10 + ((variant * 13) % 90)}`,
    currency: pick(currencies),
    paymentType: 'DB',
    paymentBrand,
    'card.number': card,
    'card.holder': variant % DECLINED_EVERY === DECLINED_EVERY - 1 ? DECLINED_CODE : `${givenName} ${surname}`,
    'card.expiryMonth': String(1 + (variant % 12)).padStart(2, '0'),
    'card.expiryYear': String(2034 + (variant % 5)),
    'card.cvv': paymentBrand === 'AMEX' ? '1234' : '123',
    merchantTransactionId: orderText(0),
    'customer.givenName': givenName,
    'customer.surname': surname,
    'customer.email': `shopper.${EMAIL_DIGITS}@example.org`,
    'customer.ip': IP,
    'billing.street1': street1,
    'billing.city': city,
    'billing.postcode': postcode,
    'billing.country': country,
    ...cartOf(variant),
    ...(variant % 2 === 0 && { 'customParameters[basket]': `basket-${variant}` }),
  });
  const template = templateOf(post('/v1/payments', body, token));
  const placeOf = (text: string): number => template.bytes.indexOf(text);
  return {
    ...template,
    cardAt: placeOf(`card.number=${card}`) + 'card.number='.length,
    bin,
    cardLength,
    emailAt: placeOf(`shopper.${EMAIL_DIGITS}`) + 'shopper.'.length,
    ipAt: placeOf(IP),
  };
}

/** A multiple of none of the lists above, so that every combination comes up. */
const VARIANTS = 257;

/** A number of the brand with the last digit that Luhn asks for. */
function cardOf({ bin, cardLength }: Variant, order: number): string {
  const length = cardLength - bin.length - 1;
  // The lowest numbers are cards of the test environment, some of which are authenticated first.
  const digits = bin + String((order + 5_000_000) % 10 ** length).padStart(length, '0');
  let last = 0;
  while (!passesLuhn(`${digits}${last}`)) last += 1;
  return `${digits}${last}`;
}

/** Returns the request of each order, in bytes of its own. */
export function createVariedPayments(): (order: number) => Buffer {
  const variants = Array.from({ length: VARIANTS }, (_, variant) => variantOf(variant));
  return (order) => {
    const variant = variants[order % VARIANTS] as Variant;
    const bytes = Buffer.from(variant.bytes);
    number({ ...variant, bytes }, order);
    bytes.write(cardOf(variant, order), variant.cardAt, 'latin1');
    bytes.write(String(order % 1e8).padStart(EMAIL_DIGITS.length, '0'), variant.emailAt, 'latin1');
    bytes.write(ipOf(order), variant.ipAt, 'latin1');
    return bytes;
  };
}

/** An address that no other of the next 900,000 orders has; all have ten characters. */
function ipOf(order: number): string {
  const [one, two, three] = [10 + (order % 90), Math.floor(order / 90) % 10, Math.floor(order / 900) % 10];
  return `${one}.${two}.${three}.1${String(Math.floor(order / 9_000) % 100).padStart(2, '0')}`;
}

import { sandbox } from '../src/merchants/sandbox.ts';
import { passesLuhn } from '../src/spec/cards/cardRanges.ts';

const { channelId, token } = sandbox.demoShop;

const ORDER_DIGITS = 10;
const AMOUNT = '92.00';

type Fields = Readonly<Record<string, string>>;

const card = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
} as const;

const encoded = (fields: Fields): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');

/** A body as a shop sends it: card, payer and billing address, twenty fields; without the card when it was stored before. */
function bodyOf(paymentType: 'DB' | 'PA', order: string, instrument: Fields = card): string {
  return encoded({
    entityId: channelId,
    amount: AMOUNT,
    currency: 'EUR',
    paymentType,
    ...instrument,
    'card.cvv': '123',
    merchantTransactionId: order,
    'customer.givenName': 'Ann',
    'customer.surname': 'Example',
    'customer.email': 'ann.example@example.org',
    'customer.ip': '192.0.2.17',
    'billing.street1': '17 Market Street',
    'billing.city': 'Springfield',
    'billing.postcode': '12345',
    'billing.country': 'DE',
    'customParameters[basket]': 'spring-sale',
  });
}

const orderText = (order: number): string => `order-${String(order).padStart(ORDER_DIGITS, '0')}`;

/** The form of one payment; every order number has its own `merchantTransactionId` of the same length. */
export const payBody = (order: number, paymentType: 'DB' | 'PA' = 'DB'): string => bodyOf(paymentType, orderText(order));

/** A whole request as bytes, and where its order number stands, so that the next one is made by writing ten digits. */
export type Template = { readonly bytes: Buffer; readonly orderAt: number };

export function payTemplate(paymentType: 'DB' | 'PA'): Template {
  const bytes = Buffer.from(post('/v1/payments', payBody(0, paymentType)), 'latin1');
  return { bytes, orderAt: bytes.indexOf(orderText(0)) + orderText(0).length - ORDER_DIGITS };
}

const ID_LENGTH = 32;

/** A payment with stored details: the same body without the card, and the id of the details in the path. */
export function storedTemplate(): Template & { readonly idAt: number } {
  const zeros = '0'.repeat(ID_LENGTH);
  const request = post(`/v1/registrations/${zeros}/payments`, bodyOf('DB', orderText(0), {}));
  const bytes = Buffer.from(request, 'latin1');
  return { bytes, orderAt: bytes.indexOf(orderText(0)) + orderText(0).length - ORDER_DIGITS, idAt: bytes.indexOf(zeros) };
}

/** The request that stores the card of the bench. */
export const storeRequest = (): string => post('/v1/registrations', encoded({ entityId: channelId, ...card }));

/** Writes the order number over the zeros of the template. */
export function number({ bytes, orderAt }: Template, order: number): void {
  let rest = order;
  for (let at = orderAt + ORDER_DIGITS - 1; at >= orderAt; at -= 1) {
    bytes[at] = 0x30 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** A payment template, and where the marks of its shopper stand. */
export type ShopperTemplate = Template & { readonly cardAt: number; readonly emailAt: number; readonly ipAt: number };

const [EMAIL_NAME, IP] = ['ann.example', '192.0.2.17'];

export function shopperTemplate(): ShopperTemplate {
  const template = payTemplate('DB');
  const placeOf = (text: string) => template.bytes.indexOf(text);
  return { ...template, cardAt: placeOf(card['card.number']), emailAt: placeOf(EMAIL_NAME), ipAt: placeOf(IP) };
}

const BIN = '420000';

/** With the last digit that Luhn asks for. */
function cardOf(order: number): string {
  const digits = BIN + String(order % 1e9).padStart(9, '0');
  let last = 0;
  while (!passesLuhn(`${digits}${last}`)) last += 1;
  return `${digits}${last}`;
}

/** Writes a card, an e-mail address and a network address that no other of the next 900,000 orders has; all are as long as the template's. */
export function nameShopper(template: ShopperTemplate, order: number): void {
  const { bytes, cardAt, emailAt, ipAt } = template;
  number(template, order);
  bytes.write(cardOf(order), cardAt, 'latin1');
  bytes.write(`ann${String(order % 1e8).padStart(EMAIL_NAME.length - 3, '0')}`, emailAt, 'latin1');
  const [one, two, three, four] = [
    10 + (order % 90),
    Math.floor(order / 90) % 10,
    Math.floor(order / 900) % 10,
    Math.floor(order / 9_000) % 100,
  ];
  bytes.write(`${one}.${two}.${three}.${100 + four}`, ipAt, 'latin1');
}

export const readRequest = (id: string): string =>
  `GET /v1/payments/${id}?entityId=${channelId} HTTP/1.1\r\n${commonHeaders}\r\n`;

export const checkoutRequest = (): string =>
  post('/v1/checkouts', encoded({ entityId: channelId, amount: AMOUNT, currency: 'EUR', paymentType: 'DB' }));

export const captureRequest = (id: string): string =>
  post(`/v1/payments/${id}`, `entityId=${channelId}&amount=${AMOUNT}&currency=EUR&paymentType=CP`);

export const refundRequest = (id: string): string =>
  post(`/v1/payments/${id}`, `entityId=${channelId}&amount=${AMOUNT}&currency=EUR&paymentType=RF`);

const commonHeaders = `Host: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n`;

function post(path: string, body: string): string {
  const type = 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8';
  return `POST ${path} HTTP/1.1\r\n${commonHeaders}${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

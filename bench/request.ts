import { sandbox } from '../src/merchants/sandbox.ts';

const { channelId, token } = sandbox.demoShop;

const ORDER_DIGITS = 10;
const AMOUNT = '92.00';

export type Fields = Readonly<Record<string, string>>;

const card = {
  paymentBrand: 'VISA',
  'card.number': '4200000000000000',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
} as const;

export const encoded = (fields: Fields): string =>
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

export const orderText = (order: number): string => `order-${String(order).padStart(ORDER_DIGITS, '0')}`;

/** The form of one payment; every order number has its own `merchantTransactionId` of the same length. */
export const payBody = (order: number, paymentType: 'DB' | 'PA' = 'DB'): string => bodyOf(paymentType, orderText(order));

/** A whole request as bytes, and the place of its order number: the next request is made by writing ten digits. */
export type Template = { readonly bytes: Buffer; readonly orderAt: number };

export function templateOf(request: string): Template {
  const bytes = Buffer.from(request, 'latin1');
  return { bytes, orderAt: bytes.indexOf(orderText(0)) + orderText(0).length - ORDER_DIGITS };
}

/** A payment like all others of the template, of one card and one shopper. */
export const payTemplate = (paymentType: 'DB' | 'PA'): Template => templateOf(post('/v1/payments', payBody(0, paymentType)));

const ID_LENGTH = 32;

/** A payment with stored details: the same body without the card, and the id of the details in the path. */
export function storedTemplate(): Template & { readonly idAt: number } {
  const zeros = '0'.repeat(ID_LENGTH);
  const template = templateOf(post(`/v1/registrations/${zeros}/payments`, bodyOf('DB', orderText(0), {})));
  return { ...template, idAt: template.bytes.indexOf(zeros) };
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

export const readRequest = (id: string): string =>
  `GET /v1/payments/${id}?entityId=${channelId} HTTP/1.1\r\n${commonHeaders}\r\n`;

export const checkoutRequest = (): string =>
  post('/v1/checkouts', encoded({ entityId: channelId, amount: AMOUNT, currency: 'EUR', paymentType: 'DB' }));

export const captureRequest = (id: string): string =>
  post(`/v1/payments/${id}`, `entityId=${channelId}&amount=${AMOUNT}&currency=EUR&paymentType=CP`);

export const refundRequest = (id: string): string =>
  post(`/v1/payments/${id}`, `entityId=${channelId}&amount=${AMOUNT}&currency=EUR&paymentType=RF`);

const headersWith = (bearer: string): string =>
  `Host: 127.0.0.1\r\nAuthorization: Bearer ${bearer}\r\nAccept: application/json\r\n`;
const commonHeaders = headersWith(token);

export function post(path: string, body: string, bearer: string = token): string {
  const type = 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8';
  return `POST ${path} HTTP/1.1\r\n${headersWith(bearer)}${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

import { bodyBytesMax, fieldsMax, indexMax, publicBodyBytesMax, unknownBodyBytesMax } from '../../src/form/limits.ts';
import { sandbox } from '../../src/merchants/sandbox.ts';
import { type EndpointName, endpoints } from '../../src/spec/endpoints.ts';
import { parameters } from '../../src/spec/parameters.ts';
import type { Row } from '../../src/spec/row.ts';

/** A request that makes the gateway work as much as one can. */
export type HeavyRequest = {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The operator of the gateway that these requests are sent to. */
export const OPERATOR = 'operator-of-this-gateway.0123456789';

const { channelId, token } = sandbox.demoShop;
const FORM = 'application/x-www-form-urlencoded';
const entity = `entityId=${channelId}`;
const paid = `${entity}&amount=92.00&currency=EUR&paymentType=DB&paymentBrand=VISA&card.number=4200000000000000`;

const LETTERS = /^[ -~]+$/;

/** A good text of the row, as long as most of them may be. */
function goodText({ format }: Row<unknown>): string {
  for (let length = 224; length > 0; length = Math.floor(length / 2)) {
    const text = 'a text of letters '.repeat(13).slice(0, length).trimEnd();
    if (format.pattern.test(text)) return text.replaceAll(' ', '+');
  }
  return encodeURIComponent(format.good.find((text) => LETTERS.test(text)) ?? '');
}

/** A payment that is taken: every field of as many items as a cart may have, most of them as long as they may be. */
export function fullCart(bytesMax = bodyBytesMax): string {
  const rows = Object.entries(parameters as Readonly<Record<string, Row<unknown>>>).flatMap(([name, row]) =>
    name.startsWith('cart.items[n].') ? [{ name: name.slice('cart.items[n].'.length), text: goodText(row) }] : [],
  );
  const start = `${paid}&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123`;
  const count = rows.length * (indexMax + 1);
  const piece = (n: number): string => {
    const { name, text } = rows[n % rows.length] as (typeof rows)[number];
    return `&cart.items[${Math.floor(n / rows.length)}].${name}=${text}`;
  };
  return filled(start, piece, { bytesMax, piecesMax: count });
}

/** A body that is as long as it may be, made of one piece after the other. */
function filled(start: string, piece: (n: number) => string, { bytesMax, piecesMax = fieldsMax - 20 }: Filling): string {
  const pieces = [start];
  let length = start.length;
  for (let n = 0; n < piecesMax; n += 1) {
    const next = piece(n);
    if (length + next.length > bytesMax) break;
    pieces.push(next);
    length += next.length;
  }
  return pieces.join('');
}

type Filling = { readonly bytesMax: number; readonly piecesMax?: number };

const most: Filling = { bytesMax: bodyBytesMax - 64 };

/** Forms by what is the worst about them. */
const forms: Readonly<Record<string, (filling: Filling) => string>> = {
  'one long value': ({ bytesMax }) => `${paid}&merchantMemo=${'x'.repeat(bytesMax - paid.length - 20)}`,
  'one long value of digits': ({ bytesMax }) =>
    `${paid}&merchantMemo=${'4200 '.repeat(Math.floor((bytesMax - paid.length - 20) / 5))}`,
  'one long value of escapes': ({ bytesMax }) =>
    `${paid}&merchantMemo=${'%C3%A4'.repeat(Math.floor((bytesMax - paid.length - 20) / 6))}`,
  'items of a cart': (filling) =>
    filled(
      paid,
      (n) => `&cart.items[${n % 1000}].${['name', 'price', 'quantity', 'sku'][Math.floor(n / 1000) % 4]}=${n}`,
      filling,
    ),
  'many values with digits': (filling) =>
    filled(paid, (n) => `&customParameters[a${n}]=4200 0000 0000 0000 ${'42'.repeat(60)}`, filling),
  'unknown names': (filling) => filled(paid, (n) => `&x${n}=${'y'.repeat(100)}`, filling),
  'deep names': (filling) => filled(paid, (n) => `&airline.passengers[${n % 1000}].legs[${n % 7}].fareAmount=x${n}`, filling),
  'the same name': (filling) => filled(paid, () => '&amount=1', filling),
  'broken escapes': (filling) => filled(paid, () => '&a=%zz', filling),
  'bytes that are no UTF-8': (filling) => filled(paid, () => '&a=%ff%fe', filling),
  'a full cart': ({ bytesMax }) => fullCart(bytesMax),
  'empty pieces': (filling) => filled(paid, () => '&', filling),
};

const jsons: Readonly<Record<string, (bytesMax: number) => string>> = {
  'a deep list': (bytesMax) => '['.repeat(Math.floor(bytesMax / 2)) + ']'.repeat(Math.floor(bytesMax / 2)),
  'many members': (bytesMax) =>
    `{${filled(`"entityId":"${channelId}"`, (n) => `,"m${n}":"4200 0000 ${n}"`, { bytesMax, piecesMax: 1e9 })}}`,
  'a long text': (bytesMax) => `{"entityId":"${channelId}","name":"${'4200 '.repeat(Math.floor(bytesMax / 5) - 20)}"}`,
  'many entries': (bytesMax) =>
    `{"entityId":"${channelId}","rules":[${filled('{}', (n) => `,{"id":"r${n}","entries":[${n}]}`, { bytesMax, piecesMax: 1e9 })}]}`,
};

const bearer = { authorization: `Bearer ${token}` };
const unknown = { authorization: `Bearer ${'x'.repeat(60)}` };

/** Every form and JSON text at an endpoint of each kind, with a token and with an unknown one. */
export function heavyRequests(endpoint: EndpointName): readonly HeavyRequest[] {
  const { method, path: pattern, access } = endpoints[endpoint];
  const path = pattern.replace(/\{\w+\}/g, 'a'.repeat(32));
  if (method !== 'POST') return [];
  const bytes = access === 'token' || access === 'admin' ? most : { bytesMax: publicBodyBytesMax - 64 };
  const sent = (title: string, body: string, headers: HeavyRequest['headers']): HeavyRequest => ({
    title: `${endpoint}: ${title}`,
    method,
    path,
    headers,
    body,
  });
  if (access === 'admin')
    return Object.entries(jsons).map(([title, make]) =>
      sent(title, make(bytes.bytesMax - 100), { ...bearer, 'content-type': 'application/json' }),
    );
  return Object.entries(forms).flatMap(([title, make]) => [
    sent(title, make(bytes), { ...bearer, 'content-type': FORM }),
    sent(`${title}, unknown token`, make({ ...bytes, bytesMax: unknownBodyBytesMax - 64 }), { ...unknown, 'content-type': FORM }),
  ]);
}

import { DEMO } from './client.ts';

const FORM = 'Content-Type: application/x-www-form-urlencoded';
export const form = `entityId=${DEMO.entityId}&amount=1.00&currency=EUR&paymentType=DB&paymentBrand=VISA&card.number=4200000000000000&card.holder=Ann+Example&card.expiryMonth=05&card.expiryYear=2034&card.cvv=123`;
export const head = (...lines: string[]) =>
  ['POST /v1/payments HTTP/1.1', 'Host: x', FORM, `Authorization: Bearer ${DEMO.token}`, ...lines].join('\r\n');
export const GET = 'GET /health/live HTTP/1.1\r\nHost: x\r\n';
export const SMUGGLED = `${GET}\r\n`;

/** What no server may take for a request: refused with 400, the connection closed, whatever follows never answered. */
export const ambiguousHeads: readonly (readonly [what: string, bytes: string])[] = [
  ['two lengths that differ', `${head('Content-Length: 5', `Content-Length: ${form.length}`)}\r\n\r\n${form}`],
  ['two lengths that agree', `${head(`Content-Length: ${form.length}`, `Content-Length: ${form.length}`)}\r\n\r\n${form}`],
  ['a list of lengths', `${head(`Content-Length: ${form.length}, ${form.length}`)}\r\n\r\n${form}`],
  ['length and chunks', `${head('Content-Length: 4', 'Transfer-Encoding: chunked')}\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunks and length', `${head('Transfer-Encoding: chunked', 'Content-Length: 4')}\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a negative length', `${head('Content-Length: -1')}\r\n\r\n${SMUGGLED}`],
  ['a length with a sign', `${head('Content-Length: +5')}\r\n\r\nab=cd${SMUGGLED}`],
  ['a length in hex', `${head('Content-Length: 0x5')}\r\n\r\nab=cd${SMUGGLED}`],
  ['a length beyond all numbers', `${head('Content-Length: 99999999999999999999999')}\r\n\r\n${SMUGGLED}`],
  ['an empty length', `${head('Content-Length: ')}\r\n\r\n${SMUGGLED}`],
  ['chunked that is not the last coding', `${head('Transfer-Encoding: chunked, identity')}\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['chunked twice', `${head('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')}\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a coding nobody knows', `${head('Transfer-Encoding: xchunked')}\r\n\r\n0\r\n\r\n${SMUGGLED}`],
  ['a blank before the colon', `${head('Content-Length : 5')}\r\n\r\nab=cd${SMUGGLED}`],
  ['a folded header', `${head('X-Folded: a', ' b', 'Content-Length: 5')}\r\n\r\nab=cd`],
  ['bare line feeds', `${GET.replaceAll('\r\n', '\n')}\n${SMUGGLED}`],
  ['a bare line feed within the head', `GET /health/live HTTP/1.1\r\nHost: x\nX: y\r\n\r\n${SMUGGLED}`],
  ['a bare carriage return', `GET /health/live HTTP/1.1\r\nHost: x\rX: y\r\n\r\n${SMUGGLED}`],
  ['a NUL in a header', `GET /health/live HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n${SMUGGLED}`],
  ['a header without a name', `GET /health/live HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n${SMUGGLED}`],
  ['a header without a colon', `GET /health/live HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n${SMUGGLED}`],
  ['no host', `GET /health/live HTTP/1.1\r\n\r\n${SMUGGLED}`],
  ['two hosts', `GET /health/live HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n${SMUGGLED}`],
  ['two tokens', `${head(`Authorization: Bearer x`, `Content-Length: ${form.length}`)}\r\n\r\n${form}${SMUGGLED}`],
  ['two keys', `${head('Idempotency-Key: a', 'idempotency-key: b', `Content-Length: ${form.length}`)}\r\n\r\n${form}${SMUGGLED}`],
  ['a version nobody speaks', `GET /health/live HTTP/9.9\r\nHost: x\r\n\r\n${SMUGGLED}`],
  ['a method nobody knows', `GRAB /health/live HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`],
  ['a target with a blank', `GET /health live HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`],
  ['a size of a chunk that is none', `${head('Transfer-Encoding: chunked')}\r\n\r\nzz\r\nab\r\n0\r\n\r\n${SMUGGLED}`],
  ['a negative size of a chunk', `${head('Transfer-Encoding: chunked')}\r\n\r\n-1\r\nab\r\n0\r\n\r\n${SMUGGLED}`],
  ['a chunk longer than it says', `${head('Transfer-Encoding: chunked')}\r\n\r\n2\r\nabcd\r\n0\r\n\r\n${SMUGGLED}`],
  ['a greeting of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
  ['not HTTP at all', 'hello there\r\n\r\n'],
];

import { gzipSync } from 'node:zlib';

/** Bodies of adversarial shape: what a stranger could send to make the gateway work more than its bytes explain. */
export type Shape = {
  readonly title: string;
  /** What is repeated, or how a body of this many bytes is made. */
  readonly make: (bytes: number) => Buffer;
  /** Headers that claim something about the body. */
  readonly headers?: Readonly<Record<string, string>>;
};

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const repeated = (unit: string | Buffer, bytes: number): Buffer => Buffer.alloc(bytes, unit, 'latin1');

/** Numbered pieces until the body is as long as it should be. */
function numbered(bytes: number, piece: (n: number) => string): Buffer {
  const pieces: string[] = [];
  for (let n = 0, length = 0; length < bytes; n += 1) {
    const next = piece(n);
    pieces.push(next);
    length += next.length;
  }
  return Buffer.from(pieces.join('').slice(0, bytes), 'latin1');
}

/** A nest that is opened so often and closed as often. */
function nested(bytes: number, open: string, close: string, middle = ''): Buffer {
  const depth = Math.max(1, Math.floor((bytes - middle.length) / (open.length + close.length)));
  return Buffer.from(open.repeat(depth) + middle + close.repeat(depth), 'latin1');
}

const between = (start: string, end: string, bytes: number, unit: string): Buffer =>
  Buffer.concat([
    Buffer.from(start, 'latin1'),
    repeated(unit, Math.max(1, bytes - start.length - end.length)),
    Buffer.from(end, 'latin1'),
  ]);

const hex = (code: number): string => code.toString(16).padStart(2, '0');
const units = (title: string, all: readonly string[]): readonly Shape[] =>
  all.map((unit) => ({ title: `${title} ${JSON.stringify(unit)}`, make: (bytes) => repeated(unit, bytes) }));

/** The signs that end something in a format that the gateway reads. */
export const DELIMITERS = ['&', '=', '%', '+', ';', ',', '[', ']', '.', '"', "'", '\r', '\n', '\0', '{', '}', ':', '<', '>', '/'];

const bytesRepeated: readonly Shape[] = Array.from({ length: 256 }, (_, code) => ({
  title: `byte ${hex(code)}`,
  make: (bytes) => repeated(Buffer.of(code), bytes),
}));

const pairs: readonly Shape[] = units(
  'pair',
  DELIMITERS.flatMap((one) => DELIMITERS.filter((other) => other !== one).map((other) => one + other)),
);

const lines: readonly Shape[] = units('lines', [
  '\r\n\r\n',
  '\n\n',
  '0\r\n\r\n',
  '1\r\na\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  '\r\n--x\r\n',
  ';;\r\n',
]);

const escapes: readonly Shape[] = units('escapes', [
  '%41',
  '%00',
  '%25',
  '%2525',
  '%26%3D',
  '%C3%A4',
  '%F0%9F%92%B3',
  '%ED%A0%80',
  '%C0%80',
  '%zz',
  '%4',
  '%%',
  '%u0041',
  '%0D%0A',
  '+%20',
  '\u00c3\u00a4',
  '\u00f0\u009f\u0092\u00b3',
  '\u00c3',
  '\\u0041',
  '&#65;',
]);

/** Numbers that maskers look for, and signs that hide or turn text around. */
const texts: readonly Shape[] = units('text', [
  '4200000000000000 ',
  '4200 ',
  '4-2-0-0-',
  '0',
  '0.',
  '1e9',
  'card.number',
  'DE89370400440532013000',
  ' \t',
  '\u00e2\u0080\u00ae',
  '\u00e2\u0080\u00a8',
  '__proto__',
  'a@',
  '(a+)+',
  '../',
  '=?',
]);

const fields: readonly Shape[] = [
  ...units('fields', [
    'a&',
    'a=&',
    '=a&',
    '=&',
    'a=b&',
    'amount=1&',
    'amount&',
    '1=amount&',
    'a==b&',
    'a=b=c=&',
    'a=%41&',
    '%61=b&',
    '+=+&',
    'a=%zz&',
    'a=\u00ff&',
    '\u00ff=a&',
    'a=\0&',
    'entityId=&',
    'entityId&',
    'authentication.entityId=a&',
    'e%6etityId=a&',
    'userId=a&password=b&',
    'a;b,',
  ]),
  { title: 'one name with every value', make: (bytes) => numbered(bytes, (n) => `customParameters[a]=${n}&`) },
  { title: 'every name with one value', make: (bytes) => numbered(bytes, (n) => `customParameters[a${n}]=1&`) },
  { title: 'every short name', make: (bytes) => numbered(bytes, (n) => `${n.toString(36)}&`) },
  { title: 'values in place of names', make: (bytes) => numbered(bytes, (n) => `${n}.00=amount&EUR${n}=currency&`) },
  { title: 'names that nobody reads', make: (bytes) => numbered(bytes, (n) => `x${n}=${LETTERS}&`) },
  { title: 'names close to known ones', make: (bytes) => numbered(bytes, (n) => `custmer.givenNam${n}=a&`) },
  { title: 'one item of a cart', make: (bytes) => numbered(bytes, () => 'cart.items[0].name=a&') },
  { title: 'the last item of a cart', make: (bytes) => numbered(bytes, (n) => `cart.items[1000].x${n}=a&`) },
  { title: 'one long name', make: (bytes) => between('', '=1', bytes, 'n') },
  { title: 'one long name of escapes', make: (bytes) => between('', '=1', bytes, '%2B') },
  { title: 'one long value of escapes', make: (bytes) => between('merchantMemo=', '', bytes, '%C3%A4') },
  { title: 'one long value of plus signs', make: (bytes) => between('merchantMemo=', '', bytes, '+') },
  { title: 'one long value of digits', make: (bytes) => between('merchantMemo=', '', bytes, '4200 ') },
  { title: 'one long number of a card', make: (bytes) => between('card.number=', '', bytes, '4') },
  { title: 'one long amount', make: (bytes) => between('amount=', '.00', bytes, '9') },
  { title: 'one long list', make: (bytes) => between('testMode=', '', bytes, 'a,') },
];

const nests: readonly Shape[] = [
  ...units('steps', ['a.b.c.', 'a[b][c]', 'a[', ']a', '[[', '[].', 'a.0.', 'a[0].']),
  { title: 'deep names, each its own', make: (bytes) => numbered(bytes, (n) => `a[${n}][b][c].d.e.f=1&`) },
  { title: 'deep names in dots', make: (bytes) => numbered(bytes, (n) => `${'a.'.repeat(20)}${n}=1&`) },
  { title: 'deep names in brackets', make: (bytes) => numbered(bytes, (n) => `a${'[b]'.repeat(20)}${n}=1&`) },
];

const jsons: readonly Shape[] = [
  { title: 'JSON: lists in lists', make: (bytes) => nested(bytes, '[', ']') },
  { title: 'JSON: objects in objects', make: (bytes) => nested(bytes, '{"a":', '}', '1') },
  { title: 'JSON: lists that do not end', make: (bytes) => repeated('[', bytes) },
  { title: 'JSON: one long text', make: (bytes) => between('{"name":"', '"}', bytes, 'a') },
  { title: 'JSON: one long text of escapes', make: (bytes) => between('{"name":"', '"}', bytes, '\\u0041') },
  { title: 'JSON: one long text of quotes', make: (bytes) => between('{"name":"', '"}', bytes, '\\"') },
  { title: 'JSON: one long text of digits', make: (bytes) => between('{"name":"', '"}', bytes, '4200 ') },
  { title: 'JSON: a text that does not end', make: (bytes) => between('{"name":"', '', bytes, '\\\\') },
  { title: 'JSON: one long number', make: (bytes) => between('{"amount":', '}', bytes, '9') },
  { title: 'JSON: one long fraction', make: (bytes) => between('{"amount":0.', '}', bytes, '3') },
  { title: 'JSON: one long name', make: (bytes) => between('{"', '":1}', bytes, 'n') },
  { title: 'JSON: one name again and again', make: (bytes) => between('{"a":1', '}', bytes, ',"a":1') },
  {
    title: 'JSON: every name',
    make: (bytes) =>
      closed(
        numbered(bytes - 2, (n) => `${n ? ',' : '{'}"n${n}":${n}`),
        '}',
      ),
  },
  {
    title: 'JSON: numbers as names',
    make: (bytes) =>
      closed(
        numbered(bytes - 2, (n) => `${n ? ',' : '{'}"${n * 7}":1`),
        '}',
      ),
  },
  { title: 'JSON: a long list', make: (bytes) => between('[1', ']', bytes, ',1') },
  { title: 'JSON: a long list of objects', make: (bytes) => between('{"rules":[{}', ']}', bytes, ',{}') },
  { title: 'JSON: __proto__', make: (bytes) => between('{"a":1', '}', bytes, ',"__proto__":{"a":1}') },
  {
    title: 'JSON: items of notifications',
    make: (bytes) =>
      between(
        '{"live":"false","notificationItems":[{}',
        ']}',
        bytes,
        ',{"NotificationRequestItem":{"additionalData":{"hmacSignature":"AAAA"}}}',
      ),
  },
  { title: 'JSON: an encrypted notification', make: (bytes) => between('{"encryptedBody":"', '"}', bytes, 'a0') },
];

/** Cut behind the last whole member, or as it is: a parser reads most of it all the same. */
function closed(body: Buffer, end: string): Buffer {
  const comma = body.lastIndexOf(',');
  return comma < 0 ? body : Buffer.concat([body.subarray(0, comma), Buffer.from(end)]);
}

const XML = '<?xml version="1.0"?>';
const markups: readonly Shape[] = [
  { title: 'XML: elements in elements', make: (bytes) => nested(bytes, '<a>', '</a>', 'x') },
  { title: 'XML: elements that do not end', make: (bytes) => repeated('<a>', bytes) },
  {
    title: 'XML: attributes',
    make: (bytes) =>
      closedAt(
        numbered(bytes - 4, (n) => `${n ? ' ' : `${XML}<a `}n${n}="1"`),
        '/>',
      ),
  },
  { title: 'XML: one long attribute', make: (bytes) => between(`${XML}<a b="`, '"/>', bytes, '&#65;') },
  { title: 'XML: entities', make: (bytes) => between(`${XML}<!DOCTYPE a [<!ENTITY b "${LETTERS}">]><a>`, '</a>', bytes, '&b;') },
  { title: 'XML: comments', make: (bytes) => between(`${XML}<a>`, '</a>', bytes, '<!---->') },
  { title: 'XML: a comment that does not end', make: (bytes) => between(`${XML}<a><!--`, '', bytes, '--') },
  { title: 'XML: cdata', make: (bytes) => between(`${XML}<a>`, '</a>', bytes, '<![CDATA[]]>') },
];

function closedAt(body: Buffer, end: string): Buffer {
  const blank = body.lastIndexOf(' ');
  return Buffer.concat([body.subarray(0, blank), Buffer.from(end)]);
}

const claims: readonly Shape[] = [
  {
    title: 'a packed body of zeros',
    make: (bytes) => padded(gzipSync(Buffer.alloc(bytes * 100)), bytes),
    headers: { 'Content-Encoding': 'gzip' },
  },
  {
    title: 'letters that are called packed',
    make: (bytes) => repeated(LETTERS, bytes),
    headers: { 'Content-Encoding': 'gzip, br' },
  },
  {
    title: 'parts of nothing',
    make: (bytes) => repeated('--x\r\n\r\n', bytes),
    headers: { 'Content-Type': 'multipart/form-data; boundary=x' },
  },
  {
    title: 'UTF-16',
    make: (bytes) => repeated('a\0', bytes),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
  },
  {
    title: 'a form that is called JSON',
    make: (bytes) => repeated('a=b&', bytes),
    headers: { 'Content-Type': 'application/json' },
  },
  { title: 'lists that are called XML', make: (bytes) => repeated('[', bytes), headers: { 'Content-Type': 'application/xml' } },
];

function padded(body: Buffer, bytes: number): Buffer {
  return Buffer.concat([body.subarray(0, bytes), Buffer.alloc(Math.max(0, bytes - body.length))]);
}

/** The measure of all others: bytes that mean nothing. */
export const letters: Shape = { title: 'letters', make: (bytes) => repeated(LETTERS, bytes) };

/** Bodies that a client has reason to send, as dear as such a body can be: fields of a cart, and members of an object. */
export const fullCart: Shape = {
  title: 'every item of a cart',
  make: (bytes) => numbered(bytes, (n) => `cart.items[${n % 1_000}].name=a&`),
};
export const manyMembers: Shape = {
  title: 'JSON: every name',
  make: (bytes) =>
    closed(
      numbered(bytes - 2, (n) => `${n ? ',' : '{'}"n${n}":${n}`),
      '}',
    ),
};

export const shapes: readonly Shape[] = [
  ...bytesRepeated,
  ...pairs,
  ...lines,
  ...escapes,
  ...texts,
  ...fields,
  ...nests,
  ...jsons,
  ...markups,
  ...claims,
];

const daily: ReadonlySet<string> = new Set([
  'byte 26',
  'byte ff',
  'pair "+&"',
  'lines "\\r\\n\\r\\n"',
  'every short name',
  'JSON: lists in lists',
]);

/** Some of each kind, for every day. */
export const someShapes: readonly Shape[] = shapes.filter(({ title }) => daily.has(title));

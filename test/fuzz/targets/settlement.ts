import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { formatOf } from '../../../src/settlement/in/importFile.ts';
import {
  day,
  type Format,
  headOf,
  isLine,
  type ReadResult,
  withoutCardNumbers,
} from '../../../src/settlement/in/readers/reader.ts';
import { camtText, statusText } from '../../settlement/bankTexts.ts';
import { assertNoCardNumber, CANARY, isOneIn, type Judge, jsonOf, type Target } from '../target.ts';

async function* pieces(bytes: Buffer, length: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const readOnce = async (format: Format, input: Buffer, given: { length: number; unsplit?: ReadonlySet<number> }) =>
  (await Array.fromAsync(withoutCardNumbers(format.read(pieces(input, given.length), given.unsplit)))).flat();

/** As the import does: the second reading knows what the first has found. */
async function read(format: Format, input: Buffer, length: number): Promise<readonly ReadResult[]> {
  const first = await readOnce(format, input, { length });
  const unsplit = new Set(first.flatMap((result) => (result.kind === 'unsplit' ? [result.entry] : [])));
  if (unsplit.size === 0) return first;
  const second = await readOnce(format, input, { length, unsplit });
  assert.deepEqual(
    second.filter(({ kind }) => kind === 'unsplit'),
    [],
    'a second reading finds nothing new',
  );
  return second;
}

/** The parser of XML names the line that its piece ended on, where text stands outside of all elements. */
const comparable = (results: readonly ReadResult[]): string =>
  jsonOf(
    results.map((result) => (result.kind === 'fault' && /no XML/.test(result.fault.message) ? result.fault.message : result)),
  );

type Placed = Exclude<ReadResult, { readonly kind: 'unsplit' }>;
const placeOf = (result: Placed): { readonly line: number } =>
  result.kind === 'fault' ? result.fault : result.kind === 'note' ? result.note : result.line;

const messageOf = (result: Placed): string | null =>
  result.kind === 'fault'
    ? result.fault.message
    : result.kind === 'note'
      ? result.note.message
      : result.kind === 'unread'
        ? result.why
        : null;

/** Most are cut once or twice; some into pieces of a few bytes, which takes longer than everything else. */
const pieceBytesOf = (input: Buffer): number =>
  isOneIn(48, input) ? 1 + (input.length % 13) : Math.ceil((input.length * (1 + ((input[input.length >> 1] ?? 0) % 15))) / 16);

/** Ids of 32 hexadecimal digits stay whole, also those that contain a card number: see cardNumbers.ts. */
const AN_ID = /(?<![0-9A-Za-z])[0-9A-Fa-f]{32}(?![0-9A-Za-z])/g;

/** A file is read into lines and faults without a card number, the same wherever its pieces end. */
const judge: Judge = async (input) => {
  const format = formatOf(await headOf(pieces(input, input.length)));
  if (!format) return;
  const results = await read(format, input, input.length);
  for (const result of results) {
    if (result.kind === 'unsplit') continue;
    const { line } = placeOf(result);
    assert.ok(Number.isInteger(line) && line >= 0 && line <= input.length + 1, `line ${line}`);
    const message = messageOf(result);
    if (message !== null) assert.ok(message.length > 0 && message.length < 2_000);
    if (isLine(result)) assert.ok(result.line.amount >= 0n && result.line.settledAmount >= 0n);
  }
  assertNoCardNumber(jsonOf(results).replaceAll(AN_ID, ''));
  if (!isOneIn(3, input)) return;
  const inPieces = await read(format, input, pieceBytesOf(input));
  // Of two faults in one file, the encoding is noticed a piece ahead of everything else.
  if (isUtf8(input) || results.at(-1)?.kind !== 'fault') assert.equal(comparable(inPieces), comparable(results));
  else assert.equal(inPieces.at(-1)?.kind, 'fault');
};

const names =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;Amount;Currency;SettlementAmount;SettlementCurrency;SettlementDate;ClearingInstituteName;Descriptor;SettlementFee;SettlementFxRate;UniqueID';
const row =
  'SETTLED;DEBIT;POS;ACQ-77;92.00;EUR;91.10;EUR;2031-10-02;Acquirer;"Order; ""7""";0.90;1.0000;8ac7a49f9a2b0c41019a2b77e2143040';
const entry = { amount: '12.50', sign: 'CRDT', code: 'IDDT/ESDD', on: '2031-10-02' } as const;
const details = [{ id: 'order-1', amount: '12.50', reason: 'AC04', charges: '3.00', booked: '15.50' }];

const TAGS = [
  'Ntry',
  'NtryDtls',
  'TxDtls',
  'Refs',
  'Amt',
  'Chrgs',
  'RtrInf',
  'Rsn',
  'Cd',
  'Stmt',
  'Ntfctn',
  'Acct',
  'IBAN',
  'TxInfAndSts',
  'StsRsnInf',
];

const XML_BEGINS = 0x3c;

export const settlement: Target = {
  name: 'settlement',
  seeds: [
    `${names}\r\n${row}\r\n${row.replace('SETTLED', 'CHARGEBACK')}\r\n`,
    `\xef\xbb\xbf${names.replaceAll(';', ',')}\n${row.replaceAll(';', ',')}\n`,
    camtText('053', [{ ...entry, details }, entry]),
    camtText('054', [{ ...entry, sign: 'DBIT', isReversed: true, batchId: 'B-1', messageId: 'M-1', details }]),
    camtText('052', [
      { ...entry, details: [...details, { id: 'order-2' }] },
      { ...entry, details: [...details, ...details] },
    ]),
    `<a><AppHdr/>${camtText('053', [entry])
      .replace(/^.*\n/, '')
      .replace(/ xmlns="[^"]*"/, '')}</a>`,
    statusText({ messageId: 'M-1', group: 'PART', batches: [{ id: 'B-1', status: 'RJCT', reason: 'AC04', transactions: [] }] }),
  ],
  words: [
    ...TAGS.flatMap((tag) => [`<${tag}>`, `</${tag}>`]),
    ...[
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '<!DOCTYPE x>',
      '<?xml version="1.0"?>',
      '&amp;',
      '&#x41;',
      '&#0;',
      '&lt;',
      'encoding="iso-8859-1"',
      'Ccy="USD"',
    ],
    ...[
      ';',
      ',',
      '"',
      '""',
      '\r\n',
      '\n',
      '\r',
      '\xff',
      '\x00',
      '-1.00',
      '1e3',
      '2031-02-30',
      '2031-10-02',
      'BOOK',
      'PDNG',
      'CRDT',
      'DBIT',
      'camt.054',
    ],
    ...[CANARY, '4200 0000 0000 0091', row, names, 'xmlns:a="b"', 'a:', 'SETTLED', 'REFUND', 'NEG', '=1+1'],
  ],
  bytesMax: 4_096,
  work: { base: 200_000, perByte: 400 },
  // Around the parser of CSV stands a pipeline of streams, which takes most of the time.
  cost: (input) => (input[0] === XML_BEGINS ? 1 : 4) * input.length,
  judge,
  planted: {
    what: 'a reader of days that takes every number for one',
    judge: (input) => {
      for (const [text] of input.toString('latin1').matchAll(/[0-9]{4}-[0-9]{2}-[0-9]{2}/g))
        if (!day(text).ok) Temporal.PlainDate.from(text);
    },
  },
};

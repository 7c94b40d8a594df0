import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { LineFault, SettledLine } from '../../record.ts';
import { formatOf, formats } from '../importFile.ts';

/** Splits the bytes into chunks of some length: the result must not depend on where a chunk ends. */
async function* pieces(text: string | Uint8Array, length: number): AsyncIterable<Uint8Array> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

type Read = { lines: SettledLine[]; unread: { line: number; why: string }[]; notes: LineFault[]; faults: LineFault[] };

/** Reads a file twice, as the import does. */
async function readFile(text: string | Uint8Array, length = 7): Promise<Read> {
  const head = Buffer.from(text)
    .subarray(0, 4_096)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
  const format = formatOf(head);
  assert.ok(format, 'some format is recognised');
  const first = (await Array.fromAsync(format.read(pieces(text, length)))).flat();
  const unsplit = new Set(first.flatMap((result) => (result.kind === 'unsplit' ? [result.entry] : [])));
  const all = (await Array.fromAsync(format.read(pieces(text, length), unsplit))).flat();
  return {
    lines: all.flatMap((result) => (result.kind === 'line' ? [result.line] : [])),
    unread: all.flatMap((result) => (result.kind === 'unread' ? [{ line: result.line.line, why: result.why }] : [])),
    notes: all.flatMap((result) => (result.kind === 'note' ? [result.note] : [])),
    faults: all.flatMap((result) => (result.kind === 'fault' ? [result.fault] : [])),
  };
}

const names =
  'ReconciliationType;PaymentType;Cashflow;ClearingInstituteMerchantId;Amount;Currency;SettlementAmount;SettlementCurrency;SettlementDate;ClearingInstituteName';
const row = 'SETTLED;DEBIT;POS;ACQ-77;92.00;EUR;91.10;EUR;2031-10-02;Acquirer';

test("a line of the gateway's own CSV is read with all fields", async () => {
  const more =
    'SettlementTxId;UniqueID;ShortId;ConnectorTxId1;Brand;TxRequestTime;SettlementFee;SettlementFxRate;SettlementStatus;Descriptor;AccountNumberLast4;BankCode;AccountHolder;ReasonCode;ReasonDesc;TransactionId;InvoiceId;MatchingStatus';
  const said =
    'S-1;8ac7a49f9a2b0c41019a2b77e2143040;1234.5678.9012;C-1;VISA;2031-10-01 10:11:12;0.90;1.0000;SUCCESS;"Order; ""7""";0000;AUT123;Ann Example;000.100.206;Disputed;order-10017;inv-1;MATCHED';
  const { lines, faults } = await readFile(`\uFEFF${names};${more}\r\n${row};${said}\r\n\r\n`);
  assert.deepEqual(faults, []);
  assert.deepEqual(lines, [
    {
      line: 2,
      recordType: 'SETTLED',
      transactionType: 'DEBIT',
      cashflow: 'POS',
      clearingInstitute: { name: 'Acquirer', merchantId: 'ACQ-77', txId1: 'C-1', txId2: null, txId3: null },
      settlementId: 'S-1',
      paymentId: '8ac7a49f9a2b0c41019a2b77e2143040',
      shortId: '1234.5678.9012',
      merchantTransactionId: 'order-10017',
      invoiceId: 'inv-1',
      amount: 9200n,
      currency: 'EUR',
      paymentBrand: 'VISA',
      presentedAt: '2031-10-01 10:11:12',
      settledAmount: 9110n,
      settledCurrency: 'EUR',
      fee: 90n,
      fxRate: '1.0000',
      settledOn: '2031-10-02',
      status: 'SUCCESS',
      descriptor: 'Order; "7"',
      last4: '0000',
      bankCode: 'AUT123',
      holder: 'Ann Example',
      reasonCode: '000.100.206',
      reasonText: 'Disputed',
    },
  ]);
});

test('commas separate too, the order of the columns is free, and their names are read in any case', async () => {
  const columns = names.split(';').reverse();
  const cells = row.split(';').reverse();
  const { lines, faults } = await readFile(`${columns.join(',').toUpperCase()}\n${cells.join(',')}\n`);
  assert.deepEqual(faults, []);
  assert.equal(lines[0]?.settledAmount, 9110n);
  const misspelt = names.replace('ClearingInstituteName', 'ClearingInsitituteName');
  assert.equal((await readFile(`${misspelt}\n${row}`)).lines.length, 1);
});

const changed = (at: number, value: string): string => row.split(';').with(at, value).join(';');

const badRows: readonly (readonly [line: string, says: RegExp])[] = [
  [changed(0, 'SETTLE'), /^ReconciliationType must be one of SETTLED, /],
  [changed(1, 'DB'), /^PaymentType must/],
  [changed(2, '+'), /^Cashflow must/],
  [changed(3, 'x'), /^ClearingInstituteMerchantId must be 5 to 64/],
  ...['', '-1.00', '1.0', '1.000', '1,00', '0x10', '1e3', '９２.00', '99999999999999.00', ' 1.00'].map(
    (amount) => [changed(4, amount), /^Amount (?:must|may not)/] as const,
  ),
  [changed(5, 'EURO'), /^Currency must/],
  [changed(5, 'eur'), /^Currency must/],
  [changed(5, 'USD'), /^SettlementFxRate may not be empty/],
  ...['2031-02-30', '02.10.2031', '2031-1-1', '2031-10-02T00:00:00', '1899-12-31'].map(
    (day) => [changed(8, day), /^SettlementDate must/] as const,
  ),
  [changed(9, 'two\u2028lines'), /^ClearingInstituteName must/],
  [`${row};more`, /^there are 11 values where 10 columns are named/],
  ['SETTLED', /^there are 1 values/],
];

test('each bad line is reported with its number and reason, and the good ones around it are read', async () => {
  for (const [line, says] of badRows) {
    const { lines, faults } = await readFile(`${names}\n${row}\n${line}\n${row}\n`, 1_000);
    assert.deepEqual([lines.map((one) => one.line), faults.map((one) => one.line)], [[2, 4], [3]], line);
    assert.match(faults[0]?.message ?? '', says);
  }
});

test('a header that names nothing, too much or something twice ends the reading', async () => {
  const heads = [names.replace('Amount;', ''), `${names};Amout`, `${names};Amount`];
  for (const head of heads) {
    const { lines, faults } = await readFile(`${head}\n${row}\n`);
    assert.deepEqual([lines.length, faults[0]?.line], [0, 1], head);
  }
});

test('a message about a column repeats no more than the beginning of its name', async () => {
  const { faults } = await readFile(`${names};${'x'.repeat(5_000)};${' '.repeat(5_000)}Amount\n${row}\n`);
  assert.deepEqual(
    faults.map(({ message }) => message),
    [`there is no column "${'x'.repeat(64)}…"`, 'the column Amount is there twice'],
  );
});

test('a message about XML has no position of the parser in it: the fault has its own line', async () => {
  const xml = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><a></b></Document>';
  assert.deepEqual((await readFile(xml)).faults, [{ line: 1, message: 'this is no XML: unexpected close tag.' }]);
});

const outside: readonly [what: string, text: string][] = [
  ['text', 'x\u0019'],
  ['a character that XML forbids', '\u0019x'],
  ['another element', '<a/>'],
  ['a comment without end', '<!-- '],
];
for (const [what, text] of outside) {
  test(`${what} before or after the elements of a document is refused in the same words, wherever its pieces end`, async () => {
    const elements = '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"></Document>';
    const files = [`${elements}${text}`, ...(text.startsWith('<') ? [] : [`<?xml version="1.0"?>${text}${elements}`])];
    for (const xml of files) {
      for (let at = 1; at < xml.length; at += 1) {
        const { faults } = await readFile(xml, at);
        assert.deepEqual(faults, [
          { line: 1, message: 'this is no XML: what stands before or after its elements cannot be read' },
        ]);
      }
    }
  });
}

test('what is no text, has no end of a quotation, or a line without end, is refused where it begins', async () => {
  const broken = Buffer.concat([Buffer.from(`${names}\n${row}\n`), Buffer.from([0xff, 0xfe]), Buffer.from('\n')]);
  assert.match((await readFile(broken)).faults[0]?.message ?? '', /not UTF-8/);
  assert.match((await readFile(`${names}\n"${row}\n${row}\n`)).faults[0]?.message ?? '', /quotation marks/);
  const inside = await readFile(`${names}\n${row}\n${row.replace('ACQ-77', 'ACQ"77')}\n${row}\n`);
  assert.deepEqual([inside.faults.length, inside.faults[0]?.line], [1, 3]);
  assert.match(inside.faults[0]?.message ?? '', /quotation marks/);
  const endless = `${names}\n${row}${'x'.repeat(100_000)}\n`;
  assert.match((await readFile(endless, 4_096)).faults.at(-1)?.message ?? '', /longer than 16384/);
});

test('whatever text is in a field comes back as it was', () =>
  fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }),
      fc.integer({ min: 1, max: 50 }),
      async (value, length) => {
        fc.pre(!/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u.test(value) && value.length <= 128 && value.isWellFormed());
        const quoted = `"${value.replaceAll('"', '""')}"`;
        const { lines, faults } = await readFile(`${names};Descriptor\n${row};${quoted}\n`, length);
        assert.deepEqual([lines[0]?.descriptor, faults], [value, []]);
      },
    ),
    { numRuns: 200 },
  ));

const camt = (kind: '053' | '054', version: string, inside: string): string => {
  const [message, container] = kind === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn'];
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${kind}.001.${version}"><${message}>
<GrpHdr><MsgId>M</MsgId></GrpHdr><${container}><Id>1</Id>
<Acct><Id><IBAN>AT611904300234573201</IBAN></Id><Svcr><FinInstnId><BIC>BKAUATWW</BIC></FinInstnId></Svcr></Acct>
${inside}
</${container}></${message}></Document>`;
};

const entry = (inside: string, { amount = '92.00', sign = 'CRDT', status = 'BOOK', more = '' } = {}): string =>
  `<Ntry><Amt Ccy="EUR">${amount}</Amt><CdtDbtInd>${sign}</CdtDbtInd>${more}<Sts>${status}</Sts><BookgDt><Dt>2031-10-01</Dt></BookgDt>
<ValDt><Dt>2031-10-02</Dt></ValDt><AcctSvcrRef>BANK-1</AcctSvcrRef>${inside}</Ntry>`;
const details = (...all: readonly string[]): string =>
  `<NtryDtls>${all.map((one) => `<TxDtls>${one}</TxDtls>`).join('\n')}</NtryDtls>`;

test('an entry with one detail is one line: references, parties, charges', async () => {
  const inside =
    details(`<Refs><EndToEndId>order-10017</EndToEndId><InstrId>8ac7a49f9a2b0c41019a2b77e2143040</InstrId><TxId>T-9</TxId></Refs>
    <Chrgs><TtlChrgsAndTaxAmt Ccy="EUR">0.90</TtlChrgsAndTaxAmt></Chrgs>
    <RltdPties><Dbtr><Nm>Ann &amp; Example</Nm></Dbtr><DbtrAcct><Id><IBAN>DE89370400440532013000</IBAN></Id></DbtrAcct></RltdPties>
    <RmtInf><Ustrd>first</Ustrd><Ustrd>second</Ustrd></RmtInf><RltdDts><TxDtTm>2031-10-01T10:11:12+02:00</TxDtTm></RltdDts>`);
  for (const version of ['02', '04', '06', '08']) {
    const { lines, faults } = await readFile(camt('054', version, entry(inside, { amount: '91.10' })));
    assert.deepEqual(faults, []);
    const [line] = lines as [SettledLine];
    assert.deepEqual(
      { ...line, line: 0 },
      {
        line: 0,
        recordType: 'SETTLED',
        transactionType: 'DEBIT',
        cashflow: 'POS',
        clearingInstitute: { name: 'BKAUATWW', merchantId: 'AT611904300234573201', txId1: 'BANK-1', txId2: 'T-9', txId3: null },
        settlementId: 'BANK-1',
        paymentId: '8ac7a49f9a2b0c41019a2b77e2143040',
        shortId: null,
        merchantTransactionId: 'order-10017',
        invoiceId: null,
        amount: 9200n,
        currency: 'EUR',
        paymentBrand: null,
        presentedAt: '2031-10-01 10:11:12',
        settledAmount: 9110n,
        settledCurrency: 'EUR',
        fee: 90n,
        fxRate: '1.00',
        settledOn: '2031-10-02',
        status: 'SUCCESS',
        descriptor: 'first',
        last4: '3000',
        bankCode: null,
        holder: 'Ann & Example',
        reasonCode: null,
        reasonText: null,
      },
    );
  }
});

test('a batch entry gives a line for each of its details; what is not booked gives none', async () => {
  const one = (id: string, amount: string) => `<Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="EUR">${amount}</Amt>`;
  const { lines, notes } = await readFile(
    camt(
      '053',
      '08',
      entry(details(one('a', '40.00'), one('b', '52.0'))) + entry(details(one('c', '92.00')), { status: 'PDNG' }),
    ),
  );
  assert.deepEqual(
    lines.map(({ merchantTransactionId, amount }) => [merchantTransactionId, amount]),
    [
      ['a', 4000n],
      ['b', 5200n],
    ],
  );
  assert.match(notes[0]?.message ?? '', /^entry 2 \(BANK-1\) was skipped: it is not booked \(Sts PDNG\)$/);
  const batch = await readFile(camt('053', '02', entry('<NtryDtls><Btch><NbOfTxs>14</NbOfTxs></Btch></NtryDtls>')));
  assert.equal(batch.lines[0]?.transactionType, 'BATCH');
  const none = await readFile(camt('053', '04', entry(details('<Refs/>', '<Refs/>'))));
  assert.deepEqual([none.lines, none.faults], [[], []]);
  assert.match(none.unread[0]?.why ?? '', /^entry 1 \(BANK-1\) .* 2 details, and not every one has an amount/);
});

test('returns are chargebacks with their reason, reversed returns their reversals, charges are fees', async () => {
  const returned = details(
    '<Refs><EndToEndId>order-1</EndToEndId></Refs><RtrInf><Rsn><Cd>MD06</Cd></Rsn><AddtlInf>No debt</AddtlInf></RtrInf>',
  );
  const coded = (code: string) =>
    `<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>MCRD</Cd><SubFmlyCd>${code}</SubFmlyCd></Fmly></Domn></BkTxCd>`;
  const cases = [
    [entry(returned, { sign: 'DBIT' }), 'CHARGEBACK', 'DEBIT', 'NEG', 'SUCCESS', 'MD06'],
    [entry(returned, { more: '<RvslInd>true</RvslInd>' }), 'CHARGEBACK REVERSAL', 'DEBIT', 'POS', 'SUCCESS', 'MD06'],
    [entry(returned), 'SETTLED', 'REFUND', 'POS', 'FAILED', null],
    [entry(coded('CHRG'), { sign: 'DBIT' }), 'FEE', 'MONTHLY', 'NEG', 'SUCCESS', null],
    [entry(coded('UPDD'), { sign: 'DBIT' }), 'CHARGEBACK', 'DEBIT', 'NEG', 'SUCCESS', null],
    [entry(details('<Refs/>'), { sign: 'DBIT' }), 'SETTLED', 'REFUND', 'NEG', 'SUCCESS', null],
  ] as const;
  for (const [inside, ...expected] of cases) {
    const { lines, faults } = await readFile(camt('053', '06', inside));
    assert.deepEqual(faults, []);
    const { recordType, transactionType, cashflow, status, reasonCode } = lines[0] as SettledLine;
    assert.deepEqual([recordType, transactionType, cashflow, status, reasonCode], expected);
  }
});

test('converted money has a rate, stated or computed', async () => {
  const exchanged = (rate: string) =>
    details(
      `<Refs/><AmtDtls><InstdAmt><Amt Ccy="USD">100.00</Amt>${rate}</InstdAmt><TxAmt><Amt Ccy="EUR">92.00</Amt></TxAmt></AmtDtls>`,
    );
  for (const [rate, expected] of [
    ['<CcyXchg><SrcCcy>USD</SrcCcy><XchgRate>0.92</XchgRate></CcyXchg>', '0.92'],
    ['', '0.920000'],
  ] as const) {
    const [line] = (await readFile(camt('053', '02', entry(exchanged(rate))))).lines as [SettledLine];
    assert.deepEqual(
      [line.amount, line.currency, line.settledAmount, line.settledCurrency, line.fxRate],
      [10_000n, 'USD', 9200n, 'EUR', expected],
    );
  }
});

const good = camt('053', '08', entry(details('<Refs/>')));
const hostile: readonly (readonly [xml: string, says: RegExp])[] = [
  [good.replace('<Document', '<!DOCTYPE lolz [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><Document'), /DTD/],
  [good.replace('<Document', '<!DOCTYPE x SYSTEM "file:///etc/passwd"><Document'), /DTD/],
  [good.replace('<Id>1</Id>', '<Id>&xxe;</Id>'), /no XML/],
  [good.replace('<Id>1</Id>', '<a>'.repeat(60)), /deep inside/],
  [good.replace('<Id>1</Id>', `<Id>${'x'.repeat(600_000)}</Id>`), /characters without a tag/],
  [good.replace('<Id>1</Id>', `<!--${'x'.repeat(600_000)}-->`), /characters without a tag/],
  [good.slice(0, -30), /no XML/],
  [good.replace('</Ntry>', '</Ntri>'), /no XML/],
  [good.replace('camt.053.001.08', 'camt.053.001.99'), /versions 02 to 13/],
  [good.replace('camt.053.001.08', 'camt.052.001.08'), /this is no camt.053 of/],
  [
    `<m>${good.slice(39)}<Document><CstmrPmtStsRpt/></Document></m>`,
    /a pain.002 stands beside the camt.053; import it in a file of its own/,
  ],
  ['<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"></Document>', /there is no BkToCstmrStmt in it/],
  [good.replace('UTF-8', 'UTF-16'), /encoding/],
];

test('hostile and broken XML is refused with a reason and a line', async () => {
  assert.deepEqual((await readFile(good)).faults, []);
  for (const [xml, says] of hostile) {
    const { faults } = await readFile(xml, 4_096);
    assert.match(faults.at(-1)?.message ?? 'read without a fault', says);
    assert.ok((faults.at(-1)?.line ?? 0) >= 1);
  }
});

test('an entry that cannot be read becomes an exception with its place and reason, and hides no other', async () => {
  const bad = [
    entry(details('<Refs/>')).replace('>92.00<', '>92.001<'),
    entry(details('<Refs/>')).replace('>92.00<', '>-92.00<'),
    entry(details('<Refs/>')).replace('"EUR"', '"XXX"'),
    entry(details('<Refs/>')).replace('CRDT', 'BOTH'),
    entry(details('<Refs/>')).replaceAll('2031-10-0', '2031-13-0'),
  ];
  for (const one of bad) {
    const good = entry(details('<Refs/>'));
    const { lines, unread, faults } = await readFile(camt('053', '04', `${good}\n${one}\n${good}`));
    assert.deepEqual([lines.length, unread.length, faults.length], [2, 1, 0], one);
    assert.match(unread[0]?.why ?? '', /^entry 2 \(BANK-1\) cannot be read as a payment: \S/);
    assert.ok((unread[0]?.line ?? 0) > (lines[0]?.line ?? 0) && (unread[0]?.line ?? 0) < (lines[1]?.line ?? 0));
  }
});

test('a declared encoding is read; another file is of no format', async () => {
  const latin = Buffer.from(
    good.replace('UTF-8', 'ISO-8859-1').replace('<Refs/>', '<Refs/><RmtInf><Ustrd>Büro</Ustrd></RmtInf>'),
    'latin1',
  );
  assert.equal((await readFile(latin)).lines[0]?.descriptor, 'Büro');
  for (const other of ['', 'a;b\n1;2', '<html>', '%PDF-1.7', '{"a":1}']) assert.equal(formatOf(other), null, other);
  assert.deepEqual(
    formats.map(({ name }) => name),
    ['turnpike-csv', 'camt.052', 'camt.053', 'camt.054', 'pain.002'],
  );
});

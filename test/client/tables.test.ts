import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatAmount, parseAmount, readReconciliation, settledAmount } from '../../src/client/reconciliation.ts';
import { parseResourcePath } from '../../src/client/resourcePath.ts';
import { classifyResult, shopperText } from '../../src/client/results.ts';
import { resultText } from '../../src/http/shopper/checkoutReply.ts';
import { textCell } from '../../src/reports/reconciliation/csv.ts';
import { languageCodes } from '../../src/spec/languages.ts';
import { defaultColumns } from '../../src/spec/reconciliation.ts';
import { isApproval, type ResultCode, type ResultEntry, resultCodes } from '../../src/spec/resultCodes.ts';

/** The parts of the client that need no gateway, against the tables and writers of the gateway. */

test('every code of the table has its kind, advice, retry rule and texts', () => {
  for (const [code, { means, advice, retry, group }] of Object.entries<ResultEntry>(resultCodes)) {
    const result = classifyResult({ result: { code } });
    const approvedAs = group === 'success-manual-review' ? 'review' : 'success';
    assert.equal(result.kind, means === 'approved' ? approvedAs : means, code);
    assert.deepEqual([result.advice, result.group, result.isKnown], [advice, group, true], code);
    if (result.kind === 'declined') {
      assert.equal(result.decline, retry.again === 'never' ? 'hard' : 'soft', code);
      assert.deepEqual(result.retry, { again: retry.again, afterDays: retry.afterDays, triesMax: retry.triesMax }, code);
    }
    for (const language of languageCodes)
      assert.equal(shopperText(code, language), resultText(code as ResultCode, language, false), code);
  }
});

test('a code that is not known is judged by its group, and is a success only by the pattern of successes', () => {
  const kinds = [
    '000.100.199',
    '000.400.099',
    '000.200.555',
    '800.400.599',
    '800.100.999',
    '700.500.999',
    '999.999.998',
    '000.700.100',
    '',
    'x',
  ];
  assert.deepEqual(
    kinds.map((code) => classifyResult(code).kind),
    ['success', 'review', 'pending', 'pending', 'declined', 'refused', 'refused', 'unknown', 'unknown', 'unknown'],
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{3}\.[0-9]{3}\.[0-9]{3}[\s\S]?$/)), (code) => {
      const { kind, isKnown } = classifyResult(code);
      if (kind === 'success' && isKnown) assert.ok(isApproval(code as ResultCode));
      if (kind === 'success' && !isKnown) assert.match(code, /^000\.(?:000|100\.1|3|6|400\.1[12]0)[0-9.]*$/);
    }),
  );
});

test('languages may have a region, and the old codes of countries; others are English', () => {
  assert.equal(shopperText('000.100.110', 'de-AT'), shopperText('000.100.110', 'de'));
  assert.equal(shopperText('000.100.110', 'cz'), shopperText('000.100.110', 'cs'));
  assert.equal(shopperText('000.100.110', 'tlh'), shopperText('000.100.110', 'en'));
  assert.equal(shopperText('000.100.110', 'en', true), 'Your details have been saved.');
});

const [payment, checkout] = ['a1'.repeat(16), `${'A1'.repeat(16)}-node1`];

test('a resourcePath of the gateway is read', () => {
  const paths = [`/v1/checkouts/${checkout}/payment`, `/v1/checkouts/${checkout}/registration`, `/v1/payments/${payment}`];
  assert.deepEqual(
    paths.map((path) => parseResourcePath(path).kind),
    ['checkout', 'checkoutRegistration', 'payment'],
  );
  assert.equal(parseResourcePath(`/v1/checkouts/${checkout}/payment`, checkout).id, checkout);
});

for (const path of [
  '',
  '/',
  'v1/payments/x',
  `https://evil.example/v1/payments/${payment}`,
  `//evil.example/v1/payments/${payment}`,
  `@evil.example/v1/payments/${payment}`,
  `.evil.example/v1/payments/${payment}`,
  `/v1/payments/${payment}/../../admin/v1/tokens`,
  `/v1/payments/${payment}/`,
  `/v1/payments/${payment}?entityId=x`,
  `/v1/payments/${payment}#x`,
  `/v1/payments/${payment}\n`,
  `\n/v1/payments/${payment}`,
  `/v1/payments/${payment}\\..`,
  `/v1/payments/${payment.toUpperCase()}`,
  `/v1/%70ayments/${payment}`,
  `/v1/checkouts/${checkout}`,
  `/v1/checkouts/${checkout}/payment/x`,
  `/v2/payments/${payment}`,
  '/v1/registrations/../payments',
  '/admin/v1/tokens',
])
  test(`the resourcePath ${JSON.stringify(path)} is refused`, () => {
    assert.throws(() => parseResourcePath(path), { name: 'ResourcePathError' });
  });

test('a resourcePath of another checkout than that of the session is refused', () => {
  assert.throws(() => parseResourcePath(`/v1/checkouts/${checkout}/payment`, `${'B2'.repeat(16)}-node1`), {
    name: 'ResourcePathError',
  });
});

test('amounts are exact both ways', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }), (amount) => {
      assert.equal(parseAmount(formatAmount(amount)), amount);
    }),
  );
  assert.deepEqual([formatAmount(5n), formatAmount(-5n), formatAmount(0n), parseAmount('92')], ['0.05', '-0.05', '0.00', 9200n]);
  for (const text of ['', '1,00', '1.0', '1.000', '1e2', 'NaN', '+1.00', ' 1.00', '.50', '92.00\n'])
    assert.throws(() => parseAmount(text), RangeError, text);
});

const head = defaultColumns.join(';');
const cell = (name: string, value: string, of = defaultColumns) => of.map((one) => (one === name ? value : '')).join(';');
const all = async (content: Parameters<typeof readReconciliation>[0]) => Array.fromAsync(readReconciliation(content));

test('texts of any kind come back as they were before the gateway wrote them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
      // Line ends are those of the file, and a carriage return alone is no end of a line in it.
      fc.pre(!/[\r\n]/.test(text) && text.isWellFormed());
      const file = `${head}\r\n${cell('Descriptor', textCell(text))}\r\n`;
      const bytes = new TextEncoder().encode(file);
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const [record] = await all(ReadableStream.from(pieces));
      assert.equal(record?.Descriptor, text);
    }),
  );
});

test('amounts are bigint with the sign of the cashflow, and an empty one is null', async () => {
  const names = ['Cashflow', 'SettlementAmount', 'SettlementFee'];
  const [one, other] = await all(`${names.join(';')}\r\nNEG;90071992547409.93;\r\nPOS;0.01;0.02\r\n`);
  assert.ok(one && other);
  assert.deepEqual(
    [settledAmount(one), one.SettlementFee, settledAmount(other), other.SettlementFee],
    [-9007199254740993n, null, 1n, 2n],
  );
});

test('a quoted cell holds line breaks, quotes and semicolons', async () => {
  const [record] = await all('Descriptor;Currency\r\n"a;""b""\r\nc";EUR\r\n');
  assert.deepEqual(record, { Descriptor: 'a;"b"\r\nc', Currency: 'EUR' });
});

for (const [what, file, line] of [
  ['an empty file', '', 1],
  ['a column that is not known', 'Amount;Sum\r\n', 1],
  ['a line that was cut off', 'Amount;Currency\r\n1.00;EU', 2],
  ['a quoted cell that was cut off', 'Descriptor\r\n"a', 2],
  ['a cell too few', 'Amount;Currency\r\n1.00\r\n', 2],
  ['an amount with a comma', 'Amount\r\n1,00\r\n', 2],
  ['line ends of another program', 'Amount\n1.00\n', 1],
  ['text behind a quoted cell', 'Descriptor\r\n"a"b\r\n', 2],
] as const)
  test(`${what} is no reconciliation file`, async () => {
    await assert.rejects(all(file), { name: 'ReconciliationError', line });
  });

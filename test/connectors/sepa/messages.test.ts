import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  creditVersions,
  debitVersions,
  type MessageVersion,
  partId,
  writeCollections,
  writeTransfers,
} from '../../../src/connectors/sepa/messages.ts';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import { createChance } from '../../simulation/chance.ts';
import { creditor, randomCollection, randomTransfer } from './examples.ts';
import { noSchemas, schemaFaults } from './xmllint.ts';

const FILES = 15;
const heading = { messageId: 'D20261116-0a1b2c3d-001', createdAt: Date.parse('2026-11-16T08:00:00Z'), isBatchBooking: true };

const write: Readonly<Record<MessageVersion, (seed: number) => string>> = Object.fromEntries([
  ...debitVersions.map((version) => [version, (seed: number) => debits(version, seed)]),
  ...creditVersions.map((version) => [version, (seed: number) => credits(version, seed)]),
]);

function debits(version: (typeof debitVersions)[number], seed: number): string {
  const chance = createChance(seed);
  const scheme = chance.pick(['CORE', 'B2B'] as const);
  const all = Array.from({ length: chance.between(1, 30) }, () => ({ ...randomCollection(chance), scheme }));
  return writeCollections(version, { ...heading, isBatchBooking: chance.hits(0.5) }, creditor, all);
}

function credits(version: (typeof creditVersions)[number], seed: number): string {
  const chance = createChance(seed);
  const all = Array.from({ length: chance.between(1, 30) }, () => randomTransfer(chance));
  return writeTransfers(version, heading, chance.hits(0.5) ? creditor : { ...creditor, bic: null }, all);
}

for (const version of [...debitVersions, ...creditVersions]) {
  const files = Array.from({ length: FILES }, (_, seed) => write[version](seed));

  test(`${version}: every file passes our own validator`, () => {
    for (const file of files) assert.deepEqual(fileFaults(file, version), []);
  });

  test(`${version}: every file is valid by the schema`, { skip: noSchemas }, () => {
    assert.equal(schemaFaults(version, files), '');
  });

  test(`${version}: the same transactions make the same bytes, in any order`, () => {
    assert.equal(write[version](7), write[version](7));
  });
}

test('the order of the transactions does not change a file', () => {
  const chance = createChance(3);
  const all = Array.from({ length: 20 }, () => ({ ...randomCollection(chance), scheme: 'CORE' as const }));
  const file = writeCollections('pain.008.001.08', heading, creditor, all);
  assert.equal(writeCollections('pain.008.001.08', heading, creditor, all.toReversed()), file);
});

test('there is one part for each due date and sequence, with its own count and sum', () => {
  const chance = createChance(4);
  const one = { ...randomCollection(chance), scheme: 'CORE', sequence: 'RCUR', dueOn: '2026-11-18', amount: 1234n } as const;
  const other = { ...one, id: 'b', sequence: 'FRST', amount: 1n } as const;
  const later = { ...one, id: 'c', dueOn: '2026-11-19', amount: 100n } as const;
  const file = writeCollections('pain.008.001.08', heading, creditor, [one, other, later, { ...one, id: 'd' }]);
  const parts = [...file.matchAll(/<PmtInfId>([^<]+)<.*?<NbOfTxs>(\d+)<\/NbOfTxs><CtrlSum>([\d.]+)</g)].map((found) =>
    found.slice(1),
  );
  assert.deepEqual(parts, [
    [`${heading.messageId}-261118F`, '1', '0.01'],
    [`${heading.messageId}-261118R`, '2', '24.68'],
    [`${heading.messageId}-261119R`, '1', '1.00'],
  ]);
  assert.equal(partId(heading.messageId, later), `${heading.messageId}-261119R`);
  assert.ok(partId(heading.messageId, later).length <= 35);
});

/** Changes that a bank would refuse. Each must be found. */
const damages: readonly (readonly [string, (file: string) => string])[] = [
  ['a wrong count', (file) => file.replace(/<NbOfTxs>(\d+)/, (_, count: string) => `<NbOfTxs>${Number(count) + 1}`)],
  ['a wrong sum', (file) => file.replace(/<CtrlSum>(\d+)/, (_, sum: string) => `<CtrlSum>${Number(sum) + 1}`)],
  ['another currency', (file) => file.replace('Ccy="EUR"', 'Ccy="USD"')],
  ['an amount with three decimals', (file) => file.replace(/(<InstdAmt[^>]*>[\d.]+)/, '$10')],
  ['an amount of nothing', (file) => file.replace(/(<InstdAmt[^>]*>)[\d.]+/, '$10.00')],
  ['a letter that banks refuse', (file) => file.replace(/<Nm>/, '<Nm>ä')],
  ['a name that is too long', (file) => file.replace(/<Nm>/, `<Nm>${'x'.repeat(70)}`)],
  ['a wrong IBAN', (file) => file.replace(/<IBAN>DE\d\d/, '<IBAN>DE00')],
  ['a day on which TARGET is closed', (file) => file.replace(/2026-11-1[789]|2026-11-2\d/, '2026-11-21')],
  ['elements in another order', (file) => file.replace(/(<MsgId>.*?<\/MsgId>)(<CreDtTm>.*?<\/CreDtTm>)/, '$2$1')],
  ['an element that is missing', (file) => file.replace(/<ChrgBr>SLEV<\/ChrgBr>/, '')],
  ['an unknown element', (file) => file.replace('<PmtMtd>', '<Foo>1</Foo><PmtMtd>')],
  ['the same id twice', (file) => file.replace(/<EndToEndId>[^<]+/g, '<EndToEndId>A')],
  ['a file that was cut', (file) => file.slice(0, -200)],
  ['another version', (file) => file.replace(/pain\.00(\d)\.001\.\d\d/, 'pain.00$1.001.99')],
  ['a document type', (file) => file.replace('<Document', '<!DOCTYPE x><Document')],
];

test('what a bank would refuse does not leave', () => {
  const chance = createChance(9);
  const all = Array.from({ length: 3 }, () => ({ ...randomCollection(chance), scheme: 'CORE' as const, amendment: null }));
  const files = [
    ['pain.008.001.08', writeCollections('pain.008.001.08', heading, creditor, all)],
    ['pain.001.001.09', writeTransfers('pain.001.001.09', heading, creditor, all)],
  ] as const;
  for (const [version, file] of files) {
    assert.deepEqual(fileFaults(file, version), []);
    for (const [name, damage] of damages) {
      assert.notEqual(damage(file), file, `${version}: ${name}`);
      assert.notDeepEqual(fileFaults(damage(file), version), [], `${version}: ${name}`);
    }
  }
  const debit = files[0][1];
  for (const [from, to] of [
    ['<MndtId>', '<MndtId>//'],
    ['<SeqTp>', '<SeqTp>R'],
    ['<AmdmntInd>false', '<AmdmntInd>true'],
    ['DE98ZZZ', 'DE97ZZZ'],
    ['BICFI', 'BIC'],
  ] as const)
    assert.notDeepEqual(fileFaults(debit.replaceAll(from, to), 'pain.008.001.08'), [], to);
});

test('a fault names the element and never its text', () => {
  const chance = createChance(9);
  const file = writeTransfers('pain.001.001.09', heading, creditor, [{ ...randomTransfer(chance), name: 'Secretname' }]);
  const faults = fileFaults(file.replace('Secretname', 'Secretnäme').replace(/<IBAN>DE/g, '<IBAN>XX'), 'pain.001.001.09');
  assert.ok(faults.length >= 2);
  assert.doesNotMatch(faults.join(' '), /Secret|XX/);
});

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordTypes, transactionTypes } from '../src/settlement/record.ts';
import { defaultColumns, reconciliationColumns, selectableColumns } from '../src/spec/reconciliation.ts';

/** Holds the columns of the reconciliation record against the document. */

const file = join(import.meta.dirname, '..', '..', 'shared', 'spec', '1-overview-operations-behaviour.md');
const skip = existsSync(file) ? false : 'the folder ../shared/spec with the three documents is not beside the project';
const document = skip ? '' : readFileSync(file, 'utf8');

test('a file has the columns of the document in its order', { skip }, () => {
  const [, list = ''] = /Column order: ([^.]+)\./.exec(document) ?? [];
  const named = list.split(', ');
  assert.equal(named.length, 36);
  assert.deepEqual(defaultColumns, named);
  const [, first, second] = /Two further CSV names, (\w+) and (\w+),/.exec(document) ?? [];
  assert.deepEqual(selectableColumns, [first, second]);
});

type Line = { readonly column: string; readonly api: string | null; readonly format: string; readonly need: string };

/** `ConnectorTxId1, ConnectorTxId2, ConnectorTxId3` and `clearingInstitute.txId1, txId2, txId3` are three rows. */
function linesOf(row: string): Line[] {
  const [names = '', apis = '', format = '', need = ''] = row
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());
  const places = apis.split(', ');
  return names.split(', ').map((column, at) => {
    const place = places[at] ?? '';
    const full = at === 0 ? place : `${places[0]?.split('.').slice(0, -1).join('.')}.${place}`;
    return { column, api: full === 'none' ? null : full, format, need };
  });
}

test('every column has the place, the format and the need of the document', { skip }, () => {
  const start = document.indexOf('| CSV column |');
  const rows = document.slice(start, document.indexOf('\n\n', start)).split('\n').slice(2);
  const told = rows.flatMap(linesOf);
  const ours = reconciliationColumns.map(({ column, api, orApi, format, need }) => ({
    ...{ column, format, need },
    api: orApi === undefined ? api : `${api} or ${orApi}`,
  }));
  assert.deepEqual(
    ours.toSorted((a, b) => (a.column < b.column ? -1 : 1)),
    told.toSorted((a, b) => (a.column < b.column ? -1 : 1)),
  );
});

test('what a record can be is what the columns say', () => {
  const formatOf = (name: string) => reconciliationColumns.find(({ column }) => column === name)?.format.split(', ');
  assert.deepEqual(formatOf('ReconciliationType'), [...recordTypes]);
  assert.deepEqual(formatOf('PaymentType'), [...transactionTypes]);
});

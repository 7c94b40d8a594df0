import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedSpecification } from '../scripts/specification.ts';
import { recordTypes, transactionTypes } from '../src/settlement/record.ts';
import { defaultColumns, reconciliationColumns, selectableColumns } from '../src/spec/reconciliation.ts';

/** Compares the columns of the reconciliation record with the document. */

const { columns, selectable, rows } = storedSpecification().reconciliation;

test('a file has the columns of the document in its order', () => {
  assert.equal(columns.length, 36);
  assert.deepEqual(defaultColumns, columns);
  assert.deepEqual(selectableColumns, selectable);
});

test('every column has the path, the format and the need of the document', () => {
  const ours = reconciliationColumns.map(({ column, api, orApi, format, need }) => [
    column,
    orApi === undefined ? api : `${api} or ${orApi}`,
    format,
    need,
  ]);
  assert.deepEqual(ours.toSorted(), rows.map((row) => [...row]).toSorted());
});

test('what a record can be is what the columns say', () => {
  const formatOf = (name: string) => reconciliationColumns.find(({ column }) => column === name)?.format.split(', ');
  assert.deepEqual(formatOf('ReconciliationType'), [...recordTypes]);
  assert.deepEqual(formatOf('PaymentType'), [...transactionTypes]);
});

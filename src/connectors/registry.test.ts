import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorKinds } from './registry.ts';

test('no simulator takes part in LIVE', () => {
  assert.deepEqual(connectorKinds.get('simulator')?.modes, ['INTERNAL', 'EXTERNAL']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectorKinds, createConnectors } from './registry.ts';

const needs = {
  clockOf: () => ({ now: () => 0 }),
  sleep: async () => {},
  random: (bytes: number) => new Uint8Array(bytes),
  notify: async () => {},
};

test('every kind is created under its own name, with the table it promises', () => {
  const created = createConnectors(needs);
  assert.deepEqual(
    created.map(({ name }) => name),
    [...connectorKinds.keys()],
  );
  for (const { name, supports, modes } of created) assert.deepEqual({ supports, modes }, pick(name));
});

function pick(name: string) {
  const kind = connectorKinds.get(name);
  return { supports: kind?.supports, modes: kind?.modes };
}

test('only named connectors are created, and an unknown name is an error that lists the others', () => {
  assert.deepEqual(createConnectors(needs, []), []);
  assert.throws(() => createConnectors(needs, ['simulater']), /"simulater": there are simulator/);
});

test('no simulator takes part in LIVE', () => {
  assert.deepEqual(connectorKinds.get('simulator')?.modes, ['INTERNAL', 'EXTERNAL']);
});

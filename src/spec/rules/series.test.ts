import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parameters } from '../parameters.ts';
import { recurringTypes } from './stored.ts';

test('every older value has a meaning that a standing instruction can say', () => {
  assert.deepEqual(Object.keys(recurringTypes), [...parameters.recurringType.format.good]);
  for (const [older, meant] of Object.entries(recurringTypes)) {
    for (const [field, text] of Object.entries(meant)) {
      const { format } = parameters[`standingInstruction.${field as keyof typeof meant}`];
      assert.equal(format.parse(text), text, `${older}: ${field}`);
    }
  }
});

test('only a first payment is INITIAL, and it is the cardholder’s', () => {
  for (const [older, { mode, source }] of Object.entries(recurringTypes)) {
    assert.equal(mode === 'INITIAL', older === 'INITIAL');
    if (mode === 'INITIAL') assert.equal(source, 'CIT');
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceContext, traceHeaders } from './traceContext.ts';
import { createSampler, samplerNames } from './tracer.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const PARENT = `00-${TRACE}-${SPAN}-01`;

const parents: readonly [what: string, header: unknown, isRead: boolean][] = [
  ['sampled', PARENT, true],
  ['not sampled', `00-${TRACE}-${SPAN}-00`, true],
  ['another flag beside it', `00-${TRACE}-${SPAN}-03`, true],
  ['a later version with more fields', `cc-${TRACE}-${SPAN}-01-what-comes`, true],
  ['version 00 with more fields', `${PARENT}-more`, false],
  ['the forbidden version', `ff-${TRACE}-${SPAN}-01`, false],
  ['no trace', `00-${'0'.repeat(32)}-${SPAN}-01`, false],
  ['no span', `00-${TRACE}-${'0'.repeat(16)}-01`, false],
  ['capital letters', PARENT.toUpperCase(), false],
  ['too short', '00-4bf9-00f0-01', false],
  ['a list', [PARENT], false],
  ['nothing', undefined, false],
  ['a card number for a trace', `00-${'4111111111111111'.padStart(32, 'a')}-${SPAN}-01`, false],
  ['a card number for a span', `00-${TRACE}-4111111111111111-01`, false],
  ['very long', `cc-${TRACE}-${SPAN}-01-${'x'.repeat(10_000)}`, false],
];

for (const [what, header, isRead] of parents) {
  test(`traceparent: ${what}`, () => assert.equal(readTraceContext(header) !== null, isRead));
}

const states: readonly [what: string, header: unknown, read: string][] = [
  ['one member', 'congo=t61rcWkgMzE', 'congo=t61rcWkgMzE'],
  ['two members with blanks', 'rojo=00f067 , congo=t61', 'rojo=00f067,congo=t61'],
  ['a tenant', 'fw529a3039@dt=FfAfg', 'fw529a3039@dt=FfAfg'],
  ['two headers', ['a=1', 'b=2'], 'a=1,b=2'],
  ['no value', 'a=', ''],
  ['the same name twice', 'a=1,a=2', ''],
  ['a line break', 'a=1\r\nx: y', ''],
  ['33 members', Array.from({ length: 33 }, (_, at) => `k${at}=v`).join(','), ''],
  ['too long', `a=${'x'.repeat(600)}`, ''],
  ['a card number', 'shop=4111111111111111', ''],
];

for (const [what, header, read] of states) {
  test(`tracestate: ${what}`, () => assert.equal(readTraceContext(PARENT, header)?.state, read));
}

test('what is read is passed on', () => {
  const context = readTraceContext(PARENT, 'a=1');
  assert.deepEqual(context && traceHeaders(context), { traceparent: PARENT, tracestate: 'a=1' });
});

test('samplers decide by the parent or by the id', () => {
  const parent = (isSampled: boolean) => ({ traceId: TRACE, spanId: SPAN, isSampled, state: '' });
  const decided = Object.fromEntries(
    samplerNames.map((name) => {
      const sampler = createSampler(name, 0.5);
      return [name, [sampler(TRACE, null), sampler(TRACE, parent(true)), sampler(TRACE, parent(false))].map(Number).join('')];
    }),
  );
  // The last 56 bits of the id are above a half: ce929d0e0e4736.
  assert.deepEqual(decided, {
    always_on: '111',
    always_off: '000',
    traceidratio: '000',
    parentbased_always_on: '110',
    parentbased_always_off: '010',
    parentbased_traceidratio: '010',
  });
  assert.equal(createSampler('traceidratio', 0.9)(TRACE, null), true);
});

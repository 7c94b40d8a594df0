import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readResult } from './answers.ts';

const PSP = 'PSP0000000000001';
const context = {
  reference: 'ours',
  value: 9200n,
  currency: 'EUR',
  isMastercard: false,
  isInitial: false,
  until: Date.parse('2026-11-17T00:00:00Z'),
  mustName: false,
  takesSteps: false,
} as const;

test('a slip sends the shopper to its page until a day after it lapses', () => {
  const read = (action: object) => readResult({ resultCode: 'PresentToShopper', pspReference: PSP, action }, context);
  const slip = { type: 'voucher', reference: '123', expiresAt: '2026-11-23T10:30:00' };
  const page = 'https://checkoutshopper-test.adyen.com/slip/1';
  const redirected = (until: string) => ({
    is: 'answer',
    answer: {
      is: 'redirected',
      redirect: { url: page, method: 'GET', parameters: [] },
      until: Date.parse(until),
      reference: PSP,
    },
  });
  const waiting = { is: 'answer', answer: { is: 'waiting', reference: PSP } };
  const cases: readonly (readonly [object, object])[] = [
    [{ ...slip, downloadUrl: page }, redirected('2026-11-24T10:30:00Z')],
    [{ ...slip, url: page, downloadUrl: 'javascript:alert(1)' }, redirected('2026-11-24T10:30:00Z')],
    [{ ...slip, instructionsUrl: page, expiresAt: 'soon' }, redirected('2026-11-17T00:00:00Z')],
    [{ ...slip, downloadUrl: page, expiresAt: '2026-11-01T00:00:00' }, redirected('2026-11-17T00:00:00Z')],
    [slip, waiting],
    [{ type: 'await' }, waiting],
  ];
  for (const [action, expected] of cases) assert.deepEqual(read(action), expected);
});

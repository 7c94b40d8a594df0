import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ResultCode } from '../../spec/resultCodes.ts';
import type { TextKey } from '../../widget/texts.ts';
import { shopperTextKey } from './checkoutReply.ts';

const cases: readonly (readonly [code: ResultCode, key: TextKey])[] = [
  ['000.100.110', 'resultSuccess'],
  ['000.200.000', 'resultPending'],
  ['100.396.101', 'resultCancelled'],
  ['800.100.155', 'resultDeclinedFunds'],
  ['300.100.100', 'resultDeclinedAuth'],
  ['100.390.112', 'resultDeclinedAuth'],
  ['800.100.152', 'resultDeclined'],
  ['900.100.300', 'resultError'],
];

for (const [code, key] of cases) test(`the shopper's text of ${code} is ${key}`, () => assert.equal(shopperTextKey(code), key));

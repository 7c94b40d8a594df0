import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdministerNeeds, authenticateAdministrator, operatorHashOf } from './authenticate.ts';
import { tokenOf } from './tokens.ts';

const OPERATOR = 'operator-of-this-gateway.0123456789';
const USER = '5eed00000000000000000000000000a1';
const token = tokenOf(USER, 'secret');
const HOME = '192.0.2.1';
const needs = (given: Partial<AdministerNeeds> = {}): AdministerNeeds => ({
  directory: {
    granted: (sent, address) => (sent === token && address === HOME ? ['merchant'] : []),
    isKnownToken: (sent) => sent === token,
  },
  environment: 'test',
  operatorHash: operatorHashOf(OPERATOR),
  ...given,
});

const cases: readonly (readonly [header: string | undefined, given: Partial<AdministerNeeds>, who: string | number])[] = [
  [`Bearer ${token}`, {}, USER],
  [`bearer  ${token} `, {}, USER],
  [`Bearer ${token}`, { environment: 'live' }, 403],
  [`Bearer ${OPERATOR}`, {}, 'operator'],
  [`Bearer ${OPERATOR}`, { environment: 'live' }, 'operator'],
  [`Bearer ${OPERATOR}`, { operatorHash: null }, 403],
  [`Bearer ${OPERATOR}0`, {}, 403],
  [`Bearer ${OPERATOR.slice(0, -1)}`, {}, 403],
  [undefined, {}, 401],
  ['', {}, 401],
  ['Bearer', {}, 401],
  [`Basic ${OPERATOR}`, {}, 401],
  [OPERATOR, {}, 401],
];
for (const [header, given, who] of cases) {
  test(`${header?.slice(0, 12)} with ${Object.entries(given).flat().join(' ')} is ${who}`, () => {
    const found = authenticateAdministrator({ header, address: HOME }, 'webhooks', needs(given));
    assert.equal(found.is === 'unknown' ? found.status : found.who, who);
  });
}

test('a merchant sees itself and what is below it, the operator everything', () => {
  const seen = (header: string, path: readonly string[]) => {
    const found = authenticateAdministrator({ header, address: HOME }, 'webhooks', needs());
    return found.is === 'administrator' && found.sees(path);
  };
  const paths = [['merchant', 'division'], ['channel', 'merchant', 'division'], ['division'], ['other', 'division'], []];
  assert.deepEqual(
    paths.map((path) => seen(`Bearer ${token}`, path)),
    [true, true, false, false, false],
  );
  assert.ok(paths.every((path) => seen(`Bearer ${OPERATOR}`, path)));
});

test('a token from an address that it does not allow is refused like an unknown one, the operator is not', () => {
  const refusal = (sent: string) => authenticateAdministrator({ header: `Bearer ${sent}`, address: '' }, 'webhooks', needs());
  assert.deepEqual(refusal('abc'), { is: 'unknown', status: 403, why: 'unknown token' });
  assert.deepEqual(refusal(token), {
    is: 'unknown',
    status: 403,
    why: 'an access token from an address that it does not allow',
  });
  assert.equal(refusal(OPERATOR).is, 'administrator');
});

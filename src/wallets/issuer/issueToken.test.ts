import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hierarchy } from '../../merchants/directory.ts';
import { sandbox, sandboxRows } from '../../merchants/sandbox.ts';
import { NOW, random } from '../examples.ts';
import { isFault } from '../wallet.ts';
import { openWallet } from '../wallets.ts';
import { createSandboxIssuer } from './issuer.ts';
import { type IssuedToken, issueToken, parseTokenOrder, tokenFaults, tokenOrderDefaults } from './issueToken.ts';
import { walletVersions } from './order.ts';

const { demoShop, otherShop } = sandbox;
const issuer = createSandboxIssuer({ seed: 'tests', ids: { random: () => random(16).toString('hex') } });
const rows = sandboxRows(0).entities.map((row) =>
  row.id === otherShop.channelId ? { ...row, settings: { wallets: { walletA: null } } } : row,
);
const entities = hierarchy(rows);
const needs = { entity: (id: string) => entities.get(id) ?? null, issuer, now: NOW };

type OrderFields = Readonly<Record<string, string>>;
const issue = (asked: OrderFields) => issueToken(new Map(Object.entries(asked)), needs);

function made(asked: OrderFields): IssuedToken {
  const result = issue(asked);
  assert.ok(result.is === 'issued', JSON.stringify(result));
  return result.issued;
}

test('a wallet is enough: everything else has a default', () => {
  const issued = made({ wallet: 'walletA' });
  assert.deepEqual(
    { ...issued, token: '', validUntil: 0 },
    {
      wallet: 'walletA',
      version: 'EC_v1',
      entityId: demoShop.channelId,
      merchantId: demoShop.merchantId,
      parameter: 'walletA.paymentToken',
      token: '',
      number: '4200000000000000',
      amount: '92.00',
      currency: 'EUR',
      validUntil: 0,
      refused: null,
    },
  );
  assert.ok((issued.validUntil ?? 0) > NOW);
});

const written: readonly [asked: OrderFields, wallet: string, version: string][] = [
  [{ wallet: 'applePay' }, 'walletA', 'EC_v1'],
  [{ wallet: 'googlePay', version: 'ECv1' }, 'walletB', 'ECv1'],
  [{ wallet: 'walletB ECv1' }, 'walletB', 'ECv1'],
  [{ wallet: 'walletB ECv1', version: 'ECv2' }, 'walletB', 'ECv2'],
  [{ wallet: 'samsungPay ECDH-ES+A256KW', signed: 'yes' }, 'walletC', 'ECDH-ES+A256KW'],
  [{ wallet: 'walletA', number: '4200 0000 0000 0091', currency: 'jpy', amount: '500' }, 'walletA', 'EC_v1'],
  [{ wallet: 'walletB', numberType: 'PAN', key: 'previous', eci: '7' }, 'walletB', 'ECv2'],
  [{ wallet: 'walletA', numberType: 'DPAN', holder: 'Ann Example', signed: '' }, 'walletA', 'EC_v1'],
];
for (const [asked, wallet, version] of written) {
  test(`${JSON.stringify(asked)} is a good token`, () => {
    const issued = made(asked);
    assert.equal(issued.wallet, wallet);
    assert.equal(issued.version, version);
    assert.equal(issued.refused, null);
  });
}

test('the token contains the requested values', () => {
  const issued = made({
    wallet: 'walletA',
    holder: 'Ann Example',
    eci: '5',
    amount: '12.34',
    currency: 'USD',
    expiryMonth: '01',
  });
  const setup = issuer.of(demoShop.merchantId).setupFor('walletA');
  const card = openWallet('walletA', issued.token, { setup, now: NOW });
  assert.ok(!isFault(card));
  const { holder, eci, amount, currency, expiryMonth } = card;
  assert.deepEqual(
    { holder, eci, amount, currency, expiryMonth },
    { holder: 'Ann Example', eci: '05', amount: 1234n, currency: 'USD', expiryMonth: '01' },
  );
});

test('every wallet in every version can be made wrong in every way, and is refused for that reason', () => {
  for (const [wallet, versions] of Object.entries(walletVersions))
    for (const version of versions)
      for (const fault of Object.keys(tokenFaults)) {
        const { refused, validUntil } = made({ wallet, version, fault });
        // The first version of walletB has one signature only: a wrong one does not reveal its signer.
        const why = version === 'ECv1' && fault === 'untrusted' ? 'tampered' : fault;
        assert.equal(refused?.why, why, `${wallet} ${version} ${fault}: ${refused?.says}`);
        assert.equal(validUntil, null);
      }
});

const refusals: readonly [asked: OrderFields, names: readonly string[]][] = [
  [{}, ['wallet']],
  [{ wallet: 'walletD' }, ['wallet']],
  [{ wallet: 'toString' }, ['wallet']],
  [{ wallet: 'walletA', version: 'ECv2' }, ['version']],
  [{ wallet: 'walletA ECv2' }, ['version']],
  [{ wallet: 'walletA', entityId: 'x' }, ['entityId']],
  [{ wallet: 'walletA', entityId: 'f'.repeat(32) }, ['entityId']],
  [{ wallet: 'walletA', entityId: sandbox.psp }, ['entityId']],
  [{ wallet: 'walletA', entityId: otherShop.channelId }, ['entityId']],
  [{ wallet: 'walletA', number: '4200-0000' }, ['number']],
  [{ wallet: 'walletA', number: '' }, ['number']],
  [{ wallet: 'walletA', expiryMonth: '1', expiryYear: '34' }, ['expiryMonth', 'expiryYear']],
  [{ wallet: 'walletA', amount: '1,00', currency: 'EURO' }, ['amount', 'currency']],
  [{ wallet: 'walletA', amount: '10.50', currency: 'JPY' }, ['amount']],
  [{ wallet: 'walletA', amount: '' }, ['amount']],
  [{ wallet: 'walletA', numberType: 'PAN' }, ['numberType']],
  [{ wallet: 'walletB', signed: 'yes' }, ['signed']],
  [{ wallet: 'walletC', signed: 'true' }, ['signed']],
  [{ wallet: 'walletA', fault: 'broken' }, ['fault']],
  [{ wallet: 'walletA', fault: 'constructor' }, ['fault']],
  [{ wallet: 'walletA', key: 'next', eci: '123', holder: 'a\nb' }, ['holder', 'eci', 'key']],
  [{ wallet: 'walletA', colour: 'red' }, ['colour']],
];
for (const [asked, names] of refusals) {
  test(`${JSON.stringify(asked).slice(0, 90)} is refused for ${names.join(', ')}`, () => {
    const result = issue(asked);
    assert.ok(result.is === 'invalid');
    const issued = result.faults;
    assert.deepEqual(
      issued.map(({ name }) => name),
      names,
    );
    for (const { says } of issued) assert.match(says, /^[A-Z].+\.$/);
  });
}

test('the defaults are an order', () => {
  assert.equal(parseTokenOrder(new Map(Object.entries(tokenOrderDefaults(NOW))), NOW).is, 'valid');
  assert.equal(tokenOrderDefaults(NOW).expiryYear, '2032');
});

import assert from 'node:assert/strict';
import { createPublicKey, privateDecrypt, publicEncrypt, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { issuer, NOW, order, random } from '../examples.ts';
import { setupFaults } from '../storedKeys.ts';
import { isFault, type WalletSetup } from '../wallet.ts';
import { openWallet } from '../wallets.ts';
import { createWalletIssuer } from './issuer.ts';
import { bytesFrom, orderFault, p256From, rsaFrom } from './order.ts';

const keysOf = ({ walletA, walletB, walletC }: WalletSetup) => [walletA, walletB, walletC].flatMap((part) => part?.keys ?? []);

test('the same seed is the same identity after a restart, and a setup is plain data', () => {
  const again = createWalletIssuer({ seed: 'sandbox', merchant: 'shop1', random });
  assert.deepEqual(keysOf(again.setup), keysOf(issuer.setup));
  assert.deepEqual(again.setup.walletB, issuer.setup.walletB);
  const stored = JSON.parse(JSON.stringify(issuer.setup)) as WalletSetup;
  for (const wallet of ['walletA', 'walletB', 'walletC'] as const)
    assert.ok(!isFault(openWallet(wallet, again.issue(wallet, order), { setup: stored, now: NOW })));
});

test('another seed or another merchant has no key in common', () => {
  const others = [
    createWalletIssuer({ seed: 'other', merchant: 'shop1', random }),
    createWalletIssuer({ seed: 'sandbox', merchant: 'shop2', random }),
  ] as const;
  const all = [issuer, ...others].flatMap(({ setup }) => keysOf(setup).map(({ privateKey }) => privateKey));
  assert.equal(new Set(all).size, all.length);
});

test('the certificates are ones that Node reads and verifies', () => {
  const root = new X509Certificate(issuer.setup.walletA!.roots[0] as string);
  assert.ok(root.ca && root.verify(root.publicKey) && root.checkIssued(root));
  assert.equal(root.validToDate.toISOString(), '2049-12-31T00:00:00.000Z');
});

test('keys made from bytes are right keys', () => {
  const key = rsaFrom(bytesFrom('seed', 'rsa'));
  assert.equal(key.asymmetricKeyDetails?.modulusLength, 2048);
  const secret = Buffer.from('secret');
  assert.deepEqual(privateDecrypt(key, publicEncrypt(createPublicKey(key), secret)), secret);
  assert.equal(p256From(bytesFrom('seed', 'p256')).asymmetricKeyDetails?.namedCurve, 'prime256v1');
});

test('an impossible order is reported', () => {
  assert.equal(orderFault('walletA', order), null);
  assert.equal(orderFault('walletA', { ...order, version: 'ECv2' }), 'the version is one of EC_v1');
  const bad = [
    { number: '42' },
    { expiryMonth: '13' },
    { expiryYear: '34' },
    { currency: 'XXX' },
    { amount: -1n },
    { amount: 50n, currency: 'JPY' },
  ];
  for (const part of bad) {
    assert.notEqual(orderFault('walletB', { ...order, ...part }), null);
    assert.throws(() => issuer.issue('walletB', { ...order, ...part }));
  }
});

test('a setup is checked before it is saved', () => {
  const { walletA, walletB, walletC } = issuer.setup as { [name in keyof WalletSetup]: NonNullable<WalletSetup[name]> };
  assert.deepEqual(setupFaults(issuer.setup), []);
  assert.deepEqual(setupFaults({ walletA: null, walletB: null, walletC: null }), []);
  const rsa = walletC.keys.slice(0, 1);
  const faults = setupFaults({
    walletA: { merchantIdentifier: '', keys: rsa, roots: ['no'], windowSeconds: 0 },
    walletB: {
      ...walletB,
      recipientId: 'shop',
      keys: [],
      roots: [{ keyValue: 'AA==', protocolVersion: 'ECv2', keyExpiration: null }],
    },
    walletC: { ...walletC, keys: [{ id: 'x', privateKey: 'x' }], signers: [], requireSigned: true, windowSeconds: 1.5 },
  });
  assert.deepEqual(
    faults.map(({ name }) => name),
    [
      'walletA.merchantIdentifier',
      'walletA.keys[0]',
      'walletA.roots[0]',
      'walletA.windowSeconds',
      'walletB.recipientId',
      'walletB.keys',
      'walletB.roots[0].keyValue',
      'walletB.roots[0].keyExpiration',
      'walletC.keys[0]',
      'walletC.signers',
      'walletC.windowSeconds',
    ],
  );
  assert.equal(
    setupFaults({ walletA: { ...walletA, roots: [] }, walletB: { ...walletB, gatewayMerchantId: null }, walletC: null }).length,
    2,
  );
});

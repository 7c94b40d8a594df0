import assert from 'node:assert/strict';
import { test } from 'node:test';
import vectors from './vectors.json' with { type: 'json' };
import { isFault, type WalletCard, type WalletFault, type WalletSetup } from './wallet.ts';
import { openWallet } from './wallets.ts';

/**
 * Tokens of real devices that were published together with the private keys they were made for, as test data of public
 * libraries, and the published roots: nothing of ours stands between them and openWallet. Of a card only the last digits are
 * compared.
 */
const keyOf = (privateKey: string) => [{ id: 'published', privateKey }];
const setup: WalletSetup = {
  walletA: {
    merchantIdentifier: Buffer.from(vectors.walletA.merchantIdentifier, 'base64').toString(),
    keys: keyOf(vectors.walletA.privateKey),
    roots: [vectors.walletA.root],
    windowSeconds: 300,
  },
  walletB: {
    recipientId: vectors.walletB.recipientId,
    gatewayMerchantId: null,
    keys: keyOf(vectors.walletB.privateKey),
    roots: vectors.walletB.roots,
  },
  walletC: {
    merchantIdentifier: 'any',
    keys: keyOf(vectors.walletC.privateKey),
    signers: [],
    requireSigned: false,
    windowSeconds: 300,
  },
};

const opened = (result: WalletCard | WalletFault) => {
  if (isFault(result)) return result;
  const { number, numberType, expiryMonth, expiryYear, cryptogram, eci, amount, currency } = result;
  const digits = number.slice(-4);
  return {
    digits,
    numberType,
    expiry: `${expiryMonth}/${expiryYear}`,
    bytes: Buffer.from(cryptogram ?? '', 'base64').length,
    eci,
    amount,
    currency,
  };
};
const why = (result: WalletCard | WalletFault) => (isFault(result) ? result.why : 'a card');

const { tokens: tokensA } = vectors.walletA;
const { ecv2, ecv1Card, ecv1Device, otherRoots } = vectors.walletB;
const { tokens: tokensC } = vectors.walletC;

test('EC_v1: tokens of 2021 and 2023 under the published root', () => {
  const usual = { numberType: 'DPAN', bytes: 19, eci: null, amount: 100n, currency: 'USD' };
  const expected = [
    { ...usual, digits: '1169', expiry: '09/2024' },
    { ...usual, digits: '1816', expiry: '04/2026' },
  ];
  tokensA.forEach(({ token, signedAt }, at) => {
    const now = Date.parse(signedAt) + 1000;
    assert.deepEqual(opened(openWallet('walletA', token, { setup, now })), expected[at]);
    assert.deepEqual(opened(openWallet('walletA', Buffer.from(token).toString('base64'), { setup, now })), expected[at]);
    assert.deepEqual(
      opened(openWallet('walletA', JSON.stringify({ paymentData: JSON.parse(token) }), { setup, now })),
      expected[at],
    );
    assert.equal(why(openWallet('walletA', token, { setup, now: now + 300_000 })), 'expired');
    assert.equal(why(openWallet('walletA', token, { setup, now: now - 302_000 })), 'expired');
  });
});

test('EC_v1: another merchant identifier, no root', () => {
  const [{ token, signedAt }] = tokensA as [(typeof tokensA)[number]];
  const now = Date.parse(signedAt);
  const walletA = setup.walletA!;
  const other = { ...setup, walletA: { ...walletA, merchantIdentifier: 'merchant.other' } };
  assert.equal(why(openWallet('walletA', token, { setup: other, now })), 'otherMerchant');
  assert.equal(why(openWallet('walletA', token, { setup: { ...setup, walletA: { ...walletA, roots: [] } }, now })), 'untrusted');
});

test('ECv2: a device number', () => {
  const { token, now } = ecv2;
  const expected = { digits: '3478', numberType: 'DPAN', expiry: '12/2025', bytes: 20, eci: '07', amount: null, currency: null };
  assert.deepEqual(opened(openWallet('walletB', token, { setup, now })), expected);
  assert.equal(why(openWallet('walletB', token, { setup, now: ecv2.messageExpiration })), 'expired');
  const result = openWallet('walletB', token, { setup, now: ecv2.keyExpiration });
  assert.deepEqual({ ...result }, { why: 'expired', says: 'the signing key in the token has expired' });
});

test('ECv1: a card, and a device number', () => {
  const card = { digits: '1111', numberType: 'PAN', expiry: '12/2022', bytes: 0, eci: null, amount: null, currency: null };
  assert.deepEqual(opened(openWallet('walletB', ecv1Card.token, { setup, now: ecv1Card.now })), card);
  const device = { ...card, digits: '3478', numberType: 'DPAN', bytes: 20, eci: '07' };
  assert.deepEqual(opened(openWallet('walletB', ecv1Device.token, { setup, now: ecv1Device.now })), device);
});

test('ECv1, ECv2: roots of another environment do not do, beside the right ones they do no harm', () => {
  const walletB = setup.walletB!;
  const others = { ...setup, walletB: { ...walletB, roots: otherRoots } };
  assert.equal(why(openWallet('walletB', ecv2.token, { setup: others, now: ecv2.now })), 'untrusted');
  assert.equal(why(openWallet('walletB', ecv1Card.token, { setup: others, now: ecv1Card.now })), 'tampered');
  const both = { ...setup, walletB: { ...walletB, roots: [...otherRoots, ...vectors.walletB.roots] } };
  for (const { token, now } of [ecv2, ecv1Card]) assert.equal(why(openWallet('walletB', token, { setup: both, now })), 'a card');
});

test('an encrypted message of a device: two networks', () => {
  const usual = { numberType: 'DPAN', eci: '05', amount: 106_000n, currency: 'USD' };
  const expected = [
    { ...usual, digits: '0312', expiry: '11/2027', bytes: 20 },
    { ...usual, digits: '9830', expiry: '11/2026', bytes: 19 },
  ];
  tokensC.forEach(({ token, utc }, at) => {
    const now = utc + 1000;
    assert.deepEqual(opened(openWallet('walletC', token, { setup, now })), expected[at]);
    const credential = JSON.stringify({ method: '3DS', '3DS': { type: 'S', version: '100', data: token } });
    for (const form of [credential, Buffer.from(credential).toString('base64'), Buffer.from(token).toString('base64')])
      assert.deepEqual(opened(openWallet('walletC', form, { setup, now })), expected[at]);
    assert.equal(why(openWallet('walletC', token, { setup, now: utc + 300_000 })), 'expired');
  });
});

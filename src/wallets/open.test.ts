import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyVersion, issuer, NOW, order, random } from './examples.ts';
import { createWalletIssuer } from './issuer/issuer.ts';
import { walletVersions } from './issuer/order.ts';
import { isFault, type WalletCard, type WalletFault, type WalletName, type WalletSetup } from './wallet.ts';
import { openWallet } from './wallets.ts';

const { setup } = issuer;
const otherMerchant = createWalletIssuer({ seed: 'sandbox', merchant: 'shop2', random });
const WALLETS: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
const WEEK = 7 * 86_400_000;
const why = (result: WalletCard | WalletFault) => (isFault(result) ? result.why : 'a card');
const card = (result: WalletCard | WalletFault): WalletCard => {
  assert.ok(!isFault(result), isFault(result) ? result.says : '');
  return result;
};

for (const [wallet, version] of everyVersion) {
  test(`${wallet} ${version}: what was put in comes out`, () => {
    const given = { ...order, version, cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=', eci: '7', holder: 'Ann Example' };
    const opened = card(openWallet(wallet, issuer.issue(wallet, given), { setup, now: NOW }));
    const { tokenId, ...rest } = opened;
    assert.match(tokenId, /^[\w-]{32,64}$/);
    assert.deepEqual(rest, {
      number: order.number,
      numberType: 'DPAN',
      expiryMonth: '07',
      expiryYear: '2034',
      cryptogram: given.cryptogram,
      eci: '07',
      holder: wallet === 'walletB' ? null : 'Ann Example',
      amount: wallet === 'walletB' ? null : 9200n,
      currency: wallet === 'walletB' ? null : 'EUR',
      validUntil: NOW + (wallet === 'walletB' ? WEEK : 300_000),
    });
  });

  test(`${wallet} ${version}: the merchant's former key still opens`, () => {
    const token = issuer.issue(wallet, { ...order, version, key: 'previous' });
    assert.equal(why(openWallet(wallet, token, { setup, now: NOW })), 'a card');
    const alone = withKeys(wallet, setup, ({ length }) => (length > 2 ? [0, 2] : [0]));
    assert.equal(why(openWallet(wallet, token, { setup: alone, now: NOW })), 'unknownKey');
  });

  test(`${wallet} ${version}: a copy has the same identity, another token another`, () => {
    const token = issuer.issue(wallet, { ...order, version });
    const id = (text: string, now = NOW) => card(openWallet(wallet, text, { setup, now })).tokenId;
    assert.equal(id(token), id(Buffer.from(token).toString('base64'), NOW + 60_000));
    assert.notEqual(id(token), id(issuer.issue(wallet, { ...order, version })));
  });

  test(`${wallet} ${version}: refused from validUntil on, and long before its time`, () => {
    const token = issuer.issue(wallet, { ...order, version });
    const { validUntil } = card(openWallet(wallet, token, { setup, now: NOW }));
    assert.equal(why(openWallet(wallet, token, { setup, now: validUntil - 1 })), 'a card');
    assert.equal(why(openWallet(wallet, token, { setup, now: validUntil })), 'expired');
    if (wallet !== 'walletB') assert.equal(why(openWallet(wallet, token, { setup, now: NOW - 300_001 })), 'expired');
  });

  test(`${wallet} ${version}: another merchant's setup does not open it`, () => {
    const token = issuer.issue(wallet, { ...order, version });
    const expected = version.startsWith('RSA-') || version.startsWith('ECDH') ? 'otherMerchant' : 'unknownKey';
    assert.equal(why(openWallet(wallet, token, { setup: otherMerchant.setup, now: NOW })), expected);
  });
}

/** The setup with only the keys at these places. */
function withKeys(wallet: WalletName, from: WalletSetup, places: (keys: readonly unknown[]) => readonly number[]): WalletSetup {
  const part = from[wallet]!;
  const kept = places(part.keys);
  return { ...from, [wallet]: { ...part, keys: part.keys.filter((_, at) => kept.includes(at)) } };
}

const FAULTS: readonly WalletFault['why'][] = [
  'malformed',
  'expired',
  'otherMerchant',
  'tampered',
  'untrusted',
  'unknownKey',
  'unsupported',
];

for (const wallet of WALLETS) {
  for (const fault of FAULTS) {
    test(`${wallet}: a token planted as ${fault} is refused as ${fault}`, () => {
      const result = openWallet(wallet, issuer.issue(wallet, { ...order, fault }), { setup, now: NOW });
      assert.equal(why(result), fault);
    });
  }
}

test('walletB ECv1: planted faults; another signer’s signature looks like a changed message', () => {
  for (const fault of FAULTS) {
    const result = openWallet('walletB', issuer.issue('walletB', { ...order, fault, version: 'ECv1' }), { setup, now: NOW });
    assert.equal(why(result), fault === 'untrusted' ? 'tampered' : fault);
  }
});

test('a refusal reveals nothing of the token, the card or the keys', () => {
  const said = WALLETS.flatMap((wallet) =>
    FAULTS.map((fault) =>
      openWallet(wallet, issuer.issue(wallet, { ...order, fault, holder: 'Ann Example' }), { setup, now: NOW }),
    ),
  );
  for (const result of said) {
    assert.ok(isFault(result));
    assert.deepEqual(Object.keys(result), ['why', 'says']);
    assert.doesNotMatch(result.says, /[0-9]{4}|BEGIN|Ann|[A-Za-z0-9+/]{24}/);
  }
});

test('a wallet without settings is not taken, nor a token that is too long', () => {
  for (const wallet of WALLETS) {
    const token = issuer.issue(wallet, order);
    assert.equal(why(openWallet(wallet, token, { setup: { ...setup, [wallet]: null }, now: NOW })), 'unsupported');
    assert.equal(why(openWallet(wallet, token.padEnd(16_384), { setup, now: NOW })), 'a card');
    assert.equal(why(openWallet(wallet, token.padEnd(16_385), { setup, now: NOW })), 'malformed');
  }
});

test('amounts come out in hundredths whatever the currency counts in', () => {
  for (const wallet of ['walletA', 'walletC'] as const) {
    for (const [currency, amount] of [
      ['JPY', 9200n],
      ['KWD', 9201n],
      ['EUR', 1n],
      ['USD', 0n],
    ] as const) {
      const opened = card(openWallet(wallet, issuer.issue(wallet, { ...order, currency, amount }), { setup, now: NOW }));
      assert.deepEqual([opened.amount, opened.currency], [amount, currency]);
    }
    assert.throws(() => issuer.issue(wallet, { ...order, currency: 'JPY', amount: 9250n }), /cannot be paid/);
  }
});

test('walletB: a card without a device has no cryptogram', () => {
  for (const version of walletVersions.walletB) {
    const opened = card(
      openWallet('walletB', issuer.issue('walletB', { ...order, version, numberType: 'PAN' }), { setup, now: NOW }),
    );
    assert.deepEqual([opened.numberType, opened.cryptogram, opened.eci], ['PAN', null, null]);
  }
});

test('walletB: another recipient, another gateway merchant, roots that have ended', () => {
  const token = issuer.issue('walletB', order);
  const walletB = setup.walletB!;
  const open = (part: Partial<typeof walletB>, now = NOW) =>
    why(openWallet('walletB', token, { setup: { ...setup, walletB: { ...walletB, ...part } }, now }));
  assert.equal(open({ recipientId: 'gateway:other' }), 'tampered');
  assert.equal(open({ gatewayMerchantId: 'shop2' }), 'otherMerchant');
  assert.equal(open({ gatewayMerchantId: null }), 'otherMerchant');
  assert.equal(open({ roots: walletB.roots.map((root) => ({ ...root, keyExpiration: String(NOW) })) }), 'untrusted');
  assert.equal(open({ roots: walletB.roots.map((root) => ({ ...root, keyExpiration: null })) }), 'untrusted');
  assert.equal(open({ roots: walletB.roots.map((root) => ({ ...root, protocolVersion: 'ECv1' })) }), 'untrusted');
});

test('walletC: a signature inside is checked, and asked for when it is required', () => {
  const walletC = setup.walletC!;
  const strict = { ...setup, walletC: { ...walletC, requireSigned: true } };
  for (const version of walletVersions.walletC) {
    const signed = issuer.issue('walletC', { ...order, version, signed: true });
    assert.equal(why(openWallet('walletC', signed, { setup: strict, now: NOW })), 'a card');
    assert.equal(
      why(openWallet('walletC', issuer.issue('walletC', { ...order, version }), { setup: strict, now: NOW })),
      'untrusted',
    );
    const nobody = { ...setup, walletC: { ...walletC, signers: [] } };
    assert.equal(why(openWallet('walletC', signed, { setup: nobody, now: NOW })), 'untrusted');
  }
});

test('a window that is no number lets nothing through', () => {
  for (const wallet of ['walletA', 'walletC'] as const) {
    const broken = { ...setup, [wallet]: { ...setup[wallet], windowSeconds: Number.NaN } };
    assert.equal(why(openWallet(wallet, issuer.issue(wallet, order), { setup: broken, now: NOW })), 'expired');
  }
});

test('keys and roots that cannot be read are passed over', () => {
  const broken = { id: 'broken', privateKey: 'not a key' };
  const messy: WalletSetup = {
    walletA: { ...setup.walletA!, keys: [broken, ...setup.walletA!.keys], roots: ['no root', ...setup.walletA!.roots] },
    walletB: {
      ...setup.walletB!,
      keys: [broken, ...setup.walletC!.keys, ...setup.walletB!.keys],
      roots: [{ keyValue: '?', protocolVersion: 'ECv2', keyExpiration: 'soon' }, ...setup.walletB!.roots],
    },
    walletC: {
      ...setup.walletC!,
      keys: [broken, ...setup.walletC!.keys],
      signers: [{ id: 'x', publicKey: '' }, ...setup.walletC!.signers],
    },
  };
  for (const [wallet, version] of everyVersion)
    assert.equal(why(openWallet(wallet, issuer.issue(wallet, { ...order, version }), { setup: messy, now: NOW })), 'a card');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings, inherit, settingFaults } from './settings.ts';
import { walletSetupFaults } from './walletSettings.ts';

const PEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n';
const PUBLIC = '-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----\n';
const PRIVATE = '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----\n';

const walletA = { merchantIdentifier: 'merchant.shop', keys: ['2026'], roots: [PEM], windowSeconds: 300 };
const identity = { id: '2026', certificate: PEM, displayName: 'Café Ω', domains: ['shop.example', 'www.shop.example'] };
const walletB = {
  recipientId: 'gateway:turnpike',
  gatewayMerchantId: 'shop',
  keys: ['2026', '2027'],
  roots: [
    { keyValue: 'MFkw', protocolVersion: 'ECv2', keyExpiration: '2154841200000' },
    { keyValue: 'MFkw', protocolVersion: 'ECv1', keyExpiration: null },
  ],
};
const walletC = {
  merchantIdentifier: 'shop',
  keys: ['2026'],
  signers: [{ id: 'one', publicKey: PUBLIC }],
  requireSigned: false,
  windowSeconds: 300,
};

const good: readonly unknown[] = [
  {},
  { walletA: null },
  { walletA: 'sandbox', walletB: null },
  { walletA, walletB, walletC },
  { walletA: { ...walletA, keys: ['2026', 'next.one', 'a-b_c'] } },
  { walletB: { ...walletB, recipientId: 'merchant:12345', gatewayMerchantId: null } },
  { walletC: { ...walletC, signers: [] } },
  { walletA: { ...walletA, identity } },
];
for (const wallets of good) {
  test(`these wallets are a setting: ${JSON.stringify(wallets).slice(0, 60)}`, () => {
    assert.deepEqual(settingFaults({ wallets }), []);
  });
}

const bad: readonly [what: string, wallets: unknown, says: RegExp][] = [
  ['not an object', 'sandbox', /must be an object of walletA/],
  ['a list', [walletA], /must be an object of walletA/],
  ['an unknown wallet', { walletD: null }, /has no "walletD"/],
  ['a prototype', JSON.parse('{"__proto__":null}'), /has no "__proto__"/],
  ['a word', { walletA: 'live' }, /"walletA" must be null, "sandbox" or an object/],
  ['a wallet as a list', { walletA: [] }, /"walletA" must be null, "sandbox" or an object/],
  ['a member that is missing', { walletA: { ...walletA, roots: undefined } }, /"walletA.roots" must be a list of certificates/],
  ['a name that is misspelt', { walletA: { ...walletA, window: 1 } }, /"walletA.window" does not exist/],
  ['no identifier', { walletA: { ...walletA, merchantIdentifier: '' } }, /"walletA.merchantIdentifier" must be a text/],
  ['no key', { walletA: { ...walletA, keys: [] } }, /"walletA.keys" must be a list of key ids/],
  ['a key twice', { walletA: { ...walletA, keys: ['1', '1'] } }, /"walletA.keys" must be a list of key ids/],
  ['a key id with a slash', { walletA: { ...walletA, keys: ['../1'] } }, /"walletA.keys" must be a list of key ids/],
  ['a private key among the keys', { walletA: { ...walletA, keys: [PRIVATE] } }, /"walletA.keys" must be a list of key ids/],
  ['a key with its text', { walletA: { ...walletA, keys: [{ id: '1', privateKey: PRIVATE }] } }, /"walletA.keys" must be/],
  ['too many keys', { walletA: { ...walletA, keys: Array.from({ length: 33 }, (_, at) => `k${at}`) } }, /"walletA.keys" must be/],
  ['no root', { walletA: { ...walletA, roots: [] } }, /"walletA.roots" must be a list of certificates/],
  ['a root that is a key', { walletA: { ...walletA, roots: [PRIVATE] } }, /"walletA.roots" must be a list of certificates/],
  ['a window of nothing', { walletA: { ...walletA, windowSeconds: 0 } }, /"walletA.windowSeconds" must be a whole number of 1/],
  ['a window of two days', { walletA: { ...walletA, windowSeconds: 172_800 } }, /"walletA.windowSeconds" must be/],
  ['no identity but a word for it', { walletA: { ...walletA, identity: null } }, /"walletA.identity" must be an object of id/],
  [
    'an identity with its key',
    { walletA: { ...walletA, identity: { ...identity, key: PRIVATE } } },
    /"walletA.identity" must be/,
  ],
  ['a key for a certificate', { walletA: { ...walletA, identity: { ...identity, certificate: PRIVATE } } }, /"walletA.identity"/],
  [
    'a name that is too long',
    { walletA: { ...walletA, identity: { ...identity, displayName: 'x'.repeat(65) } } },
    /"walletA.identity"/,
  ],
  [
    'an identity for no domain',
    { walletA: { ...walletA, identity: { ...identity, domains: [] } } },
    /"walletA.identity" must be/,
  ],
  ...['*.shop.example', 'https://shop.example', 'shop.example:443', 'Shop.example', '', 'shop', '-.example'].map(
    (host): [string, unknown, RegExp] => [
      `the domain "${host}"`,
      { walletA: { ...walletA, identity: { ...identity, domains: [host] } } },
      /"walletA.identity" must be/,
    ],
  ),
  ['an identity of another wallet', { walletB: { ...walletB, identity } }, /"walletB.identity" does not exist/],
  ['a bare recipient', { walletB: { ...walletB, recipientId: 'shop' } }, /"walletB.recipientId" must be merchant:<id>/],
  ['an unknown version', { walletB: { ...walletB, roots: [{ ...walletB.roots[0], protocolVersion: 'x' }] } }, /"walletB.roots"/],
  ['a root with more in it', { walletB: { ...walletB, roots: [{ ...walletB.roots[0], more: 1 }] } }, /"walletB.roots" must be/],
  ['a private signer', { walletC: { ...walletC, signers: [{ id: 'x', publicKey: PRIVATE }] } }, /"walletC.signers" must be/],
  ['a word for a flag', { walletC: { ...walletC, requireSigned: 'no' } }, /"walletC.requireSigned" must be true or false/],
];
for (const [what, wallets, says] of bad) {
  test(`wallets: ${what} is refused with a sentence`, () => {
    const faults = settingFaults({ wallets });
    assert.equal(faults.length, 1, faults.join('\n'));
    assert.match(faults[0] ?? '', says);
    assert.ok(!faults[0]?.includes('PRIVATE'), 'a fault repeats no value');
  });
}

test('every fault of a wallet is reported at once', () => {
  assert.deepEqual(
    walletSetupFaults('walletA', { keys: ['2026'], privateKey: PRIVATE }).map((says) => says.split(' ')[0]),
    ['"walletA.privateKey"', '"walletA.merchantIdentifier"', '"walletA.roots"', '"walletA.windowSeconds"'],
  );
});

test('a wallet is inherited as a whole, each for itself', () => {
  const above = inherit(defaultSettings, { wallets: { ...defaultSettings.wallets, walletA, walletB } });
  const own = { ...walletA, keys: ['2027'] };
  const below = inherit(above, { wallets: { walletA: own } as Partial<typeof above.wallets> as typeof above.wallets });
  assert.equal(below.wallets.walletA, own);
  assert.equal(below.wallets.walletB, walletB, 'the very object: by it the owner of the keys is found');
  assert.equal(below.wallets.walletC, 'sandbox');
  assert.equal(inherit(below, { wallets: { walletA: null } as unknown as typeof above.wallets }).wallets.walletA, null);
});

const account = { holder: 'Example Shop Ltd', number: 'DE23100000001234567890', bic: 'MARKDEF1100', country: 'DE' };
const accounts: readonly (readonly [what: string, bankAccount: unknown, isGood: boolean])[] = [
  ['none', null, true],
  ['an IBAN with its BIC', account, true],
  ['an account number alone', { holder: 'Example Shop Ltd', number: '0012345678' }, true],
  ['no holder', { ...account, holder: undefined }, false],
  ['no number', { holder: 'Example Shop Ltd' }, false],
  ['an IBAN with a wrong check digit', { ...account, number: 'DE24100000001234567890' }, false],
  ['a BIC of nine characters', { ...account, bic: 'MARKDEF11' }, false],
  ['a country that does not exist', { ...account, country: 'ZZ' }, false],
  ['a misspelt member', { ...account, iban: 'x' }, false],
  ['a text', 'DE23100000001234567890', false],
  ['a list', [account], false],
];
for (const [what, bankAccount, isGood] of accounts) {
  test(`a bank account with ${what} is ${isGood ? 'a' : 'no'} setting`, () => {
    const faults = settingFaults({ bankAccount });
    if (isGood) assert.deepEqual(faults, []);
    else assert.match(faults.join(), /^the setting "bankAccount" must be null or an object of holder, number/);
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOW, order, random } from './examples.ts';
import { createIssuerA, issueA, setupA } from './issuer/issueA.ts';
import { createIssuerB, issueB, setupB } from './issuer/issueB.ts';
import { createIssuerC, issueC, setupC } from './issuer/issueC.ts';
import { bytesFrom, type WalletOrder } from './issuer/order.ts';
import { type CardFound, isFault, type WalletCard, type WalletFault, type WalletSetup, walletCard } from './wallet.ts';
import { openWallet } from './wallets.ts';

const found: CardFound = {
  number: '4200000000000091',
  numberType: 'DPAN',
  expiryMonth: '07',
  expiryYear: '2034',
  cryptogram: 'AgAAAAAABk4DWZ4C28yUQAAAAAA=',
  eci: '5',
  holder: ' Ann Example ',
  minorAmount: 100n,
  currency: 'EUR',
  tokenId: 'one',
  validUntil: 1,
};
const why = (result: WalletCard | WalletFault) => (isFault(result) ? result.why : 'a card');

const cases: readonly (readonly [part: Partial<CardFound>, expected: string])[] = [
  [{}, 'a card'],
  [{ number: '42000000' }, 'a card'],
  [{ number: '4200000' }, 'malformed'],
  [{ number: '42000000000000000000' }, 'malformed'],
  [{ number: '4200 0000 0000 0091' }, 'malformed'],
  [{ number: '٤٢٠٠٠٠٠٠٠٠٠٠٠٠٩١' }, 'malformed'],
  [{ number: null }, 'malformed'],
  [{ expiryMonth: '00' }, 'malformed'],
  [{ expiryMonth: '13' }, 'malformed'],
  [{ expiryMonth: null }, 'malformed'],
  [{ expiryYear: '1999' }, 'malformed'],
  [{ expiryYear: '34' }, 'malformed'],
  [{ cryptogram: null }, 'malformed'],
  [{ cryptogram: '' }, 'malformed'],
  [{ cryptogram: null, numberType: 'PAN' }, 'a card'],
  [{ cryptogram: 'not base64!' }, 'malformed'],
  [{ cryptogram: 'A'.repeat(257) }, 'malformed'],
  [{ eci: null }, 'a card'],
  [{ eci: '' }, 'a card'],
  [{ eci: 'R' }, 'malformed'],
  [{ eci: '105' }, 'malformed'],
  [{ holder: '' }, 'a card'],
  [{ holder: 'Ann\u0000Example' }, 'malformed'],
  [{ holder: 'A'.repeat(129) }, 'malformed'],
  [{ tokenId: '' }, 'malformed'],
  [{ tokenId: 'a b' }, 'malformed'],
  [{ currency: 'XXX' }, 'unsupported'],
  [{ currency: null }, 'unsupported'],
  [{ currency: null, minorAmount: null }, 'a card'],
  [{ minorAmount: null }, 'a card'],
  [{ currency: 'KWD', minorAmount: 105n }, 'unsupported'],
  [{ currency: 'KWD', minorAmount: 110n }, 'a card'],
];

for (const [part, expected] of cases) {
  const what = JSON.stringify(part, (_, value) => (typeof value === 'bigint' ? `${value}n` : value)).slice(0, 60);
  test(`${what}: ${expected}`, () => {
    assert.equal(why(walletCard({ ...found, ...part })), expected);
  });
}

test('digits are filled up and spaces taken away', () => {
  const card = walletCard(found);
  assert.ok(!isFault(card));
  assert.deepEqual([card.eci, card.holder, card.amount], ['05', 'Ann Example', 100n]);
});

const bytes = (label: string) => bytesFrom('cards', label);
const [walletA, walletB, walletC] = [createIssuerA('shop', bytes), createIssuerB('shop', bytes), createIssuerC('shop', bytes)];
const setup: WalletSetup = { walletA: setupA(walletA), walletB: setupB(walletB), walletC: setupC(walletC) };

test('a token that is signed and encrypted as it should be, with nonsense in it, is refused', () => {
  const nonsense: readonly Partial<WalletOrder>[] = [
    { number: 'abc' },
    { number: '' },
    { expiryMonth: '13' },
    { expiryMonth: '' },
    { expiryYear: '20xx' },
    { cryptogram: '!' },
    { cryptogram: '' },
    { eci: 'five' },
  ];
  for (const part of nonsense) {
    const given = { ...order, ...part };
    const tokens = {
      walletA: issueA(walletA, given, random),
      walletB: issueB(walletB, given, random),
      walletC: issueC(walletC, given, random),
    };
    for (const [wallet, token] of Object.entries(tokens))
      assert.equal(
        why(openWallet(wallet as keyof WalletSetup, token, { setup, now: NOW })),
        'malformed',
        `${wallet} ${JSON.stringify(part)}`,
      );
  }
});

test('an amount that is none, a currency that is none', () => {
  for (const [part, expected] of [
    [{ amount: -100n }, 'malformed'],
    [{ currency: 'XXX' }, 'malformed'],
  ] as const) {
    const given = { ...order, ...part };
    assert.equal(why(openWallet('walletA', issueA(walletA, given, random), { setup, now: NOW })), expected);
    assert.equal(why(openWallet('walletC', issueC(walletC, given, random), { setup, now: NOW })), expected);
  }
});

import assert from 'node:assert/strict';
import { everyVersion, issuer, NOW, order } from '../../../src/wallets/examples.ts';
import { openWallet } from '../../../src/wallets/open.ts';
import { jsonObject } from '../../../src/wallets/text.ts';
import { isFault, type WalletName } from '../../../src/wallets/wallet.ts';
import { changeBytes } from '../mutate.ts';
import { assertNoCardNumber, CANARY, type Judge, jsonOf, type Random, type Target } from '../target.ts';

const NAMES: readonly WalletName[] = ['walletA', 'walletB', 'walletC'];
/** The first byte chooses the wallet, the rest is its token. */
const walletOf = (input: Buffer): WalletName => NAMES[(input[0] ?? 0) % NAMES.length] as WalletName;
const tokenOf = (input: Buffer): string => input.subarray(1).toString('latin1');

// Operations with an RSA key take a hundred times as long as everything else.
const versions = everyVersion.filter(([, version]) => !version.startsWith('RSA'));
const tokens = versions.map(([wallet, version]) => ({ wallet, token: issuer.issue(wallet, { ...order, version }) }));

function open(input: Buffer) {
  return openWallet(walletOf(input), tokenOf(input), { setup: issuer.setup, now: NOW });
}

/** A token is refused in words without a secret; a card comes only out of a token that was issued, unchanged. */
function judge(input: Buffer): void {
  const opened = open(input);
  if (isFault(opened)) assertNoCardNumber(opened.says);
  else assert.deepEqual([opened.number, opened.expiryYear], [order.number, order.expiryYear], 'a card that was never issued');
  assert.equal(jsonOf(open(input)), jsonOf(opened));
}

const ENCODED = /[A-Za-z0-9+/_-]{16,}={0,2}/g;

/** Changes bytes behind base64, so that damage reaches signatures, certificates and points. */
function change(input: Buffer, random: Random): Buffer | null {
  const text = input.toString('latin1');
  const found = [...text.matchAll(ENCODED)];
  const one = found[random(Math.max(1, found.length))];
  if (!one) return null;
  const coding = /[-_]/.test(one[0]) || text[0] === '\x02' ? 'base64url' : 'base64';
  const bytes = changeBytes(Buffer.from(one[0], coding), random);
  return Buffer.from(`${text.slice(0, one.index)}${bytes.toString(coding)}${text.slice(one.index + one[0].length)}`, 'latin1');
}

const plantedJudge: Judge = (input) => {
  const members = jsonObject(tokenOf(input)) as { readonly signature?: string } | null;
  if (members) assert.ok((members.signature as string).length > 0);
};

export const wallets: Target = {
  name: 'wallets',
  sources: /\/src\/wallets\/(?!issuer)/,
  seeds: tokens.map(({ wallet, token }) => `${String.fromCharCode(NAMES.indexOf(wallet))}${token}`),
  words: [
    ...[
      '"version":"EC_v1"',
      '"protocolVersion":"ECv1"',
      '"ECv2"',
      '"header":{',
      '"paymentData":{',
      '"signature":"',
      '"signedMessage":"',
    ],
    ...[
      '{',
      '}',
      '"',
      ':',
      ',',
      '.',
      '..',
      'null',
      '[]',
      '{"__proto__":{}}',
      '\\u0000',
      '=',
      '==',
      '-',
      '_',
      '\x00',
      '\x01',
      '\x02',
      ' ',
      CANARY,
    ],
    ...[
      '"intermediateSigningKey":',
      '"signedKey":"',
      '"signatures":["',
      '"keyExpiration":"0"',
      '{"alg":"none"}',
      'eyJhbGciOiJub25lIn0',
    ],
  ],
  bytesMax: 6_000,
  work: { base: 60_000, perByte: 300 },
  change,
  judge,
  planted: { what: 'a reader that takes a signature for granted', judge: plantedJudge },
};

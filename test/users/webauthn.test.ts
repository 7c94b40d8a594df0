import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RegistrationResponseJSON, verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import fc from 'fast-check';
import { ALGORITHMS, readAuthentication, readRegistration, type StoredCredential } from '../../src/users/passkeys.ts';
import { algorithmNames, createAuthenticator, type Manner } from './authenticator.ts';

/**
 * Our checks beside those of a library that many use: what ours take, the library takes with the same result, whatever became of the answer on
 * its way; and both take what real authenticators send.
 */

const ceremony = { origin: 'https://office.example', host: 'office.example', challenge: 'c2VjcmV0', requiresVerification: true };
const asked = { challenge: ceremony.challenge, rp: { id: ceremony.host }, rpId: ceremony.host };
type Json = Readonly<Record<string, unknown>>;
type Verdict = StoredCredential | number | null;

const quietly = async (check: () => Verdict | Promise<Verdict>): Promise<Verdict> => {
  try {
    return await check();
  } catch {
    return null;
  }
};

const common = { expectedChallenge: ceremony.challenge, expectedOrigin: ceremony.origin, expectedRPID: ceremony.host };

const registered = (credential: Json) => quietly(() => readRegistration(credential, ceremony));
const libraryRegistered = (credential: Json) =>
  quietly(async () => {
    const response = credential as unknown as RegistrationResponseJSON;
    const answer = await verifyRegistrationResponse({ ...common, response, supportedAlgorithmIDs: [...ALGORITHMS] });
    if (!answer.verified) return null;
    const { id, publicKey, counter } = answer.registrationInfo.credential;
    return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), counter };
  });

const authenticated = (credential: Json, kept: StoredCredential) => quietly(() => readAuthentication(credential, kept, ceremony));
const libraryAuthenticated = (response: Json, { credentialId: id, publicKey, counter }: StoredCredential) =>
  quietly(async () => {
    const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter };
    const answer = await verifyAuthenticationResponse({ ...common, response: response as never, credential });
    return answer.verified ? answer.authenticationInfo.newCounter : null;
  });

const created = (manner: Manner = {}, algorithm = algorithmNames[0]) => {
  const device = createAuthenticator(ceremony.origin, algorithm);
  return { device, credential: device.create(asked, manner) as Json };
};

for (const algorithm of algorithmNames) {
  test(`${algorithm}: a new credential and its uses are taken, with the library's results`, async () => {
    const { device, credential } = created({}, algorithm);
    const kept = await registered(credential);
    assert.ok(kept !== null && typeof kept === 'object');
    assert.deepEqual(kept, await libraryRegistered(credential));
    // Signatures of ECDSA vary in length.
    for (let use = 1; use <= 20; use += 1) {
      const shown = device.get(asked);
      assert.equal(await authenticated(shown, kept), use);
      assert.equal(await libraryAuthenticated(shown, kept), use);
      assert.equal(await authenticated(shown, { ...kept, counter: use }), null, 'a counter that did not grow');
      assert.equal(await authenticated(shown, { ...kept, credentialId: 'x' }), null, 'another credential');
    }
    const other = (await registered(created({}, algorithm).credential)) as StoredCredential;
    assert.equal(
      await authenticated(device.get(asked), { ...other, credentialId: kept.credentialId }),
      null,
      'the key of another',
    );
  });

  test(`${algorithm}: a credential that is attested by its own key is taken`, async () => {
    const { credential } = created({ format: 'packed' }, algorithm);
    assert.ok(await registered(credential));
    assert.deepEqual(await registered(credential), await libraryRegistered(credential));
  });
}

test('an authenticator without a counter says 0 every time', async () => {
  const { device, credential } = created();
  const kept = (await registered(credential)) as StoredCredential;
  assert.equal(await authenticated(device.get(asked, { counter: 0 }), kept), 0);
  assert.equal(await authenticated(device.get(asked, { counter: 0 }), { ...kept, counter: 1 }), null);
});

const [PRESENT, CAN_BACK_UP, BACKED_UP, EXTENDED] = [0x01, 0x08, 0x10, 0x80];
const extensions = Buffer.from('a16b6372656450726f7465637402', 'hex');

const fine: readonly (readonly [what: string, manner: Manner])[] = [
  ['is backed up', { flags: PRESENT | CAN_BACK_UP | BACKED_UP }],
  ['has extensions', { flags: PRESENT | EXTENDED, more: extensions }],
];
const wrong: readonly (readonly [what: string, manner: Manner])[] = [
  ['is of another origin', { origin: 'https://office.example.evil' }],
  ['has another challenge', { challenge: 'c2VjcmV1' }],
  ['has no user present', { flags: 0 }],
  ['has no verified user', { isVerified: false }],
  ['is backed up and cannot be', { flags: PRESENT | BACKED_UP }],
  ['announces extensions and has none', { flags: PRESENT | EXTENDED }],
  ['has bytes behind it', { more: Buffer.of(0xa0) }],
  ['has extensions that are cut off', { flags: PRESENT | EXTENDED, more: extensions.subarray(0, -1) }],
  ['has extensions that are no map', { flags: PRESENT | EXTENDED, more: Buffer.of(0x01) }],
];

for (const [what, manner] of fine) {
  test(`what ${what} is taken`, async () => {
    const { device, credential } = created(manner);
    const kept = (await registered(credential)) as StoredCredential;
    assert.ok(kept);
    assert.deepEqual(kept, await libraryRegistered(credential));
    assert.equal(await authenticated(device.get(asked, manner), kept), 1);
  });
}
for (const [what, manner] of wrong) {
  test(`what ${what} is refused`, async () => {
    assert.equal(await registered(created(manner).credential), null);
    const { device, credential } = created();
    assert.equal(await authenticated(device.get(asked, manner), (await registered(credential)) as StoredCredential), null);
  });
}

test('an answer of a page inside of another is refused', async () => {
  const { device, credential } = created();
  const kept = (await registered(credential)) as StoredCredential;
  assert.equal(await authenticated(device.get(asked, { crossOrigin: true }), kept), null);
});

test('an answer for another host is refused', async () => {
  const elsewhere = { ...asked, rp: { id: 'other.example' }, rpId: 'other.example' };
  const { device, credential } = created();
  assert.equal(await registered(device.create(elsewhere) as Json), null);
  assert.equal(await authenticated(device.get(elsewhere), (await registered(credential)) as StoredCredential), null);
});

test('an unrequested attestation, or one that proves nothing, is refused', async () => {
  const manners: readonly Manner[] = [
    { format: 'none', statement: { sig: Buffer.of(1) } },
    { format: 'fido-u2f' },
    { format: 'unheard of' },
  ];
  for (const manner of manners) assert.equal(await registered(created(manner).credential), null, `${manner.format}`);
});

/** Changes one place of what came: a byte, the length, a field. */
const damage = fc.record({
  field: fc.constantFrom('clientDataJSON', 'attestationObject', 'authenticatorData', 'signature'),
  how: fc.constantFrom('flip', 'cut', 'grow', 'set'),
  at: fc.nat(),
  byte: fc.integer({ min: 1, max: 255 }),
});
type Damage = typeof damage extends fc.Arbitrary<infer Each> ? Each : never;

function damaged(credential: Json, { field, how, at, byte }: Damage): Json {
  const response = credential.response as Readonly<Record<string, unknown>>;
  const text = response[field];
  if (typeof text !== 'string') return credential;
  const bytes = Buffer.from(text, 'base64url');
  const place = at % bytes.length;
  if (how === 'flip') bytes[place] = (bytes[place] ?? 0) ^ byte;
  if (how === 'set') bytes[place] = byte;
  const changed = how === 'cut' ? bytes.subarray(0, place) : how === 'grow' ? Buffer.concat([bytes, Buffer.of(byte)]) : bytes;
  return { ...credential, response: { ...response, [field]: changed.toString('base64url') } };
}

test('whatever is damaged on its way: what we take, the library takes with the same result', async () => {
  const devices = await Promise.all(
    algorithmNames.map(async (algorithm) => {
      const { device, credential } = created({}, algorithm);
      const packed = device.create(asked, { format: 'packed' }) as Json;
      return { credential, packed, shown: device.get(asked), kept: (await registered(credential)) as StoredCredential };
    }),
  );
  const counts = { taken: 0, refused: 0 };
  const compare = (ours: Verdict, theirs: Verdict) => {
    counts[ours === null ? 'refused' : 'taken'] += 1;
    if (ours !== null) assert.deepEqual(ours, theirs);
  };
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...devices), damage, async ({ credential, packed, shown, kept }, change) => {
      for (const made of [credential, packed].map((whole) => damaged(whole, change)))
        compare(await registered(made), await libraryRegistered(made));
      const answer = damaged(shown, change);
      const ours = await authenticated(answer, kept);
      compare(ours, await libraryAuthenticated(answer, kept));
      // Nothing of an authentication can be changed without breaking its signature.
      if (JSON.stringify(answer) !== JSON.stringify(shown)) assert.equal(ours, null);
    }),
    { numRuns: 600 },
  );
  assert.ok(counts.refused > 300 && counts.taken > 100, JSON.stringify(counts));
});

import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { checkEntityAccess, credentialNames, type EntityAccess, identifyCaller } from './authenticate.ts';
import { createDirectory, type Directory, fixedRows } from './directory.ts';
import { sandbox, sandboxRows } from './sandbox.ts';
import { tokenHash, tokenOf } from './tokens.ts';

const { demoShop, otherShop, division, psp } = sandbox;
const channelUser = 'b'.repeat(32);
const channelToken = tokenOf(channelUser, 'only one channel');
const officeToken = tokenOf(channelUser, 'only from the office');

let directory: Directory;
before(async () => {
  const seed = sandboxRows(0);
  const tokens = [
    ...seed.tokens,
    { userId: channelUser, tokenHash: tokenHash(channelToken), entityId: demoShop.channelId, createdAt: 0 },
    {
      ...{ userId: channelUser, tokenHash: tokenHash(officeToken), entityId: demoShop.channelId, createdAt: 0 },
      allowedAddresses: ['203.0.113.0/24'],
    },
  ];
  directory = await createDirectory(
    fixedRows(async () => ({ entities: seed.entities, tokens })),
    { now: () => 0 },
  );
});

const bearer = `Bearer ${demoShop.token}`;
const legacy = (password: string, userId: string = demoShop.userId) =>
  `authentication.userId=${userId}&authentication.password=${password}`;

type Case = [what: string, header: string | undefined, form: string, expected: string];
const own = `entityId=${demoShop.channelId}`;
const cases: Case[] = [
  ['own channel', bearer, own, demoShop.channelId],
  ['second channel of the same merchant', bearer, `entityId=${demoShop.lenientChannelId}`, demoShop.lenientChannelId],
  ['own merchant', bearer, `entityId=${demoShop.merchantId}`, demoShop.merchantId],
  ['scheme in any case', `bearer ${demoShop.token}`, own, demoShop.channelId],
  ['older name of the entity', bearer, `authentication.entityId=${demoShop.channelId}`, demoShop.channelId],
  ['both names, one entity', bearer, `${own}&authentication.entityId=${demoShop.channelId}`, demoShop.channelId],
  ['user and password as parameters', undefined, `${own}&${legacy('sandbox-demo')}`, demoShop.channelId],
  ['a channel token for its channel', `Bearer ${channelToken}`, own, demoShop.channelId],

  ['no header', undefined, own, '401 800.900.300'],
  ['empty header', '', own, '401 800.900.300'],
  ['no token after the scheme', 'Bearer', own, '401 800.900.300'],
  ['another scheme', `Basic ${demoShop.token}`, own, '401 800.900.300'],
  ['a scheme that only ends so', `x${bearer}`, own, '401 800.900.300'],
  ['a bare token', demoShop.token, own, '401 800.900.300'],
  ['two tokens', `${bearer} ${demoShop.token}`, own, '401 800.900.300'],
  ['a user without a password', undefined, `${own}&authentication.userId=${demoShop.userId}`, '401 800.900.300'],
  ['a malformed header beside good parameters', 'Basic x', `${own}&${legacy('sandbox-demo')}`, '401 800.900.300'],

  ['unknown token', `Bearer ${tokenOf(demoShop.userId, 'guess')}`, own, '403 800.900.300'],
  ['a token of no known shape', 'Bearer abc', own, '403 800.900.300'],
  ['wrong password', undefined, `${own}&${legacy('guess')}`, '403 800.900.300'],
  ['unknown user', undefined, `${own}&${legacy('sandbox-demo', 'f'.repeat(32))}`, '403 800.900.300'],
  ['unknown token and no entity', 'Bearer abc', '', '403 800.900.300'],
  ["another merchant's channel", bearer, `entityId=${otherShop.channelId}`, '403 800.900.300'],
  ['another merchant', bearer, `entityId=${otherShop.merchantId}`, '403 800.900.300'],
  ['an entity that does not exist', bearer, `entityId=${'0'.repeat(32)}`, '403 800.900.300'],
  ['the division above', bearer, `entityId=${division}`, '403 800.900.300'],
  ['the PSP above', bearer, `entityId=${psp}`, '403 800.900.300'],
  ['a channel token for a sister channel', `Bearer ${channelToken}`, `entityId=${demoShop.lenientChannelId}`, '403 800.900.300'],
  ['a channel token for its merchant', `Bearer ${channelToken}`, `entityId=${demoShop.merchantId}`, '403 800.900.300'],

  ['no entity', bearer, 'amount=1.00', '400 200.300.404 entityId'],
  ['an empty entity', bearer, 'entityId=', '400 200.300.404 entityId'],
  ['an entity in capitals', bearer, `entityId=${'A'.repeat(32)}`, '400 200.300.404 entityId'],
  ['a short entity', bearer, 'entityId=5eed', '400 200.300.404 entityId'],
  [
    'two different entities',
    bearer,
    `${own}&authentication.entityId=${demoShop.merchantId}`,
    '400 200.300.404 authentication.entityId',
  ],
];
function admitted(header: string | undefined, fields: ReadonlyMap<string, string>, address = '192.0.2.1'): EntityAccess {
  const known = identifyCaller(directory, { header, fields, address });
  return known.is === 'known' ? checkEntityAccess(directory, known.owned, fields) : known;
}

for (const [what, header, form, expected] of cases) {
  test(`${what}: ${expected}`, () => {
    const fields = new Map(form === '' ? [] : form.split('&').map((pair) => pair.split('=') as [string, string]));
    const admission = admitted(header, fields);
    const seen =
      admission.is === 'admitted'
        ? admission.entity.id
        : [admission.status, admission.code, ...admission.faults.map(({ name }) => name)].join(' ');
    assert.equal(seen, expected);
  });
}

test('a foreign entity and one that does not exist are answered alike', () => {
  const ask = (id: string) => admitted(bearer, new Map([['entityId', id]]));
  assert.deepEqual(ask(otherShop.channelId), ask('0'.repeat(32)));
});

test('a card number sent as the entity is not sent back', () => {
  const admission = admitted(bearer, new Map([['entityId', '4200000000000000']]));
  assert.doesNotMatch(JSON.stringify(admission), /4200000000000000/);
});

const shaped = { is: 'refused', status: 400, code: '200.300.404', why: 'entityId is missing or malformed' } as const;
const refused = { is: 'refused', code: '800.900.300', faults: [] } as const;
/** The whole answer: its texts are for merchants and for the log. */
const answers: readonly (readonly [
  what: string,
  header: string | undefined,
  fields: Readonly<Record<string, string>>,
  answer: EntityAccess,
])[] = [
  ['no token', undefined, {}, { ...refused, status: 401, why: 'no access token, or the header is malformed' }],
  ['an unknown token', 'Bearer abc', {}, { ...refused, status: 403, why: 'unknown access token' }],
  ['a foreign entity', bearer, { entityId: otherShop.channelId }, { ...refused, status: 403, why: 'foreign or unknown entity' }],
  ['no entity', bearer, {}, { ...shaped, faults: [{ name: 'entityId', value: null, message: 'may not be empty' }] }],
  [
    'a short entity',
    bearer,
    { entityId: '5eed' },
    { ...shaped, faults: [{ name: 'entityId', value: '5eed', message: 'must be 32 lower-case hexadecimal digits' }] },
  ],
  [
    'two entities',
    bearer,
    { entityId: demoShop.channelId, 'authentication.entityId': demoShop.merchantId },
    {
      ...shaped,
      faults: [{ name: 'authentication.entityId', value: '5eed***f1', message: 'must be the same as entityId' }],
    },
  ],
];
for (const [what, header, fields, answer] of answers)
  test(`${what}: the whole answer`, () => assert.deepEqual(admitted(header, new Map(Object.entries(fields))), answer));

test('the parameters that are read before all others', () => {
  assert.deepEqual(credentialNames, ['authentication.userId', 'authentication.password', 'entityId', 'authentication.entityId']);
});

test('a token from an address that it does not allow is answered as a wrong one is; the log has the difference', () => {
  const fields = new Map([['entityId', demoShop.channelId]]);
  const officeFields = new Map([
    ...fields,
    ['authentication.userId', channelUser],
    ['authentication.password', 'only from the office'],
  ]);
  const asked: readonly (readonly [header: string | undefined, fields: ReadonlyMap<string, string>])[] = [
    [`Bearer ${officeToken}`, fields],
    [undefined, officeFields],
  ];
  const { why: _, ...wrong } = admitted('Bearer abc', fields) as Extract<EntityAccess, { is: 'refused' }>;
  for (const [header, sent] of asked) {
    assert.equal(admitted(header, sent, '203.0.113.9').is, 'admitted');
    assert.deepEqual(admitted(header, sent, '192.0.2.1'), {
      ...wrong,
      why: 'an access token from an address that it does not allow',
    });
  }
});

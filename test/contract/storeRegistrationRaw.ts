import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Registration } from '../../src/registrations/registration.ts';
import { nextId, type Opened } from './storeFixtures.ts';
import { keyRow, register, registration } from './storeRegistrationFixtures.ts';

type Scene = { readonly held: Registration; readonly owner: string };
type Attempt = readonly [what: string, statement: (scene: Scene) => string, refusal: RegExp];

const set =
  (what: string) =>
  ({ held }: Scene) =>
    `UPDATE registration SET ${what} WHERE merchant_id = '${held.merchantId}' AND id = '${held.id}'`;
const setKey =
  (version: number, what: string) =>
  ({ owner }: Scene) =>
    `UPDATE data_key SET ${what} WHERE owner = '${owner}' AND version = ${version}`;
const insertKey =
  (version: number, state: string, wrapped: string) =>
  ({ owner }: Scene) =>
    `INSERT INTO data_key (owner, purpose, version, master_id, wrapped, state, created_at, reserved)
   VALUES ('${owner}', 'data', ${version}, 'm', ${wrapped}, '${state}', 1, 0)`;
const insertRegistration = ({ held }: Scene, changes: Readonly<Record<string, string>> = {}) => {
  const row = {
    merchant_id: `'${held.merchantId}'`,
    id: `'${nextId()}'`,
    entity_id: "'channel'",
    payment_id: "'p'",
    state: "'active'",
    created_at: '1',
    used_at: '1',
    expires_at: '1',
    revision: '1',
    data: "'{}'",
    ...changes,
  };
  return `INSERT INTO registration (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
};
const BYTES = "CAST('x' AS BLOB)";

/** An active registration with a sealed text, and of the owner's keys the first retired, the second retiring, the third current. */
const attempts: readonly Attempt[] = [
  ['another merchant', set("merchant_id = 'x'"), /registration_origin_fixed/],
  ['another id', set("id = 'x'"), /registration_origin_fixed/],
  ['another channel', set("entity_id = 'x', revision = 2"), /registration_origin_fixed/],
  ['another maker', set("payment_id = 'x', revision = 2"), /registration_origin_fixed/],
  ['another birthday', set('created_at = 1, revision = 2'), /registration_origin_fixed/],
  ['a change of its data that is not counted', set("data = '[]'"), /registration_transition/],
  ['a state that is not counted', set("state = 'deleted', sealed = NULL"), /registration_transition/],
  ['a fingerprint that is not counted', set("fingerprint = 'x'"), /registration_transition/],
  ['an appointment that is not counted', set('token_due_at = 1'), /registration_transition/],
  ['secrets erased without counting', set('sealed = NULL'), /registration_transition/],
  ['a revision left out', set('revision = 3'), /registration_transition/],
  ['a revision turned back', set('revision = 0'), /registration_(?:transition|revision)/],
  ['an active one that is open again', set("state = 'open', revision = 2"), /registration_transition/],
  ['an active one that is rejected', set("state = 'rejected', sealed = NULL, revision = 2"), /registration_transition/],
  ['a deleted one with its secrets', set("state = 'deleted', revision = 2"), /registration_erased/],
  ['an unheard-of state', set("state = 'stored', revision = 2"), /registration_(?:transition|state)/],
  ['a deletion', ({ held }) => `DELETE FROM registration WHERE id = '${held.id}'`, /registration_no_delete/],
  ['a deletion of everything', () => 'DELETE FROM registration', /registration_no_delete/],
  [
    'a registration twice',
    (scene) => insertRegistration(scene, { id: `'${scene.held.id}'` }),
    /registration_(?:no_replace|pkey)/,
  ],
  [
    'a rejected one with secrets',
    (scene) => insertRegistration(scene, { state: "'rejected'", sealed: BYTES }),
    /registration_erased/,
  ],
  ['revision 0', (scene) => insertRegistration(scene, { revision: '0' }), /registration_revision/],
  ['a second current key', insertKey(4, 'current', BYTES), /data_key_(?:no_replace|current)/],
  ['a key twice', insertKey(2, 'retiring', BYTES), /data_key_(?:no_replace|pkey)/],
  ['a retired key with its text', insertKey(4, 'retired', BYTES), /data_key_destroyed/],
  ['a key without its text', insertKey(4, 'retiring', 'NULL'), /data_key_destroyed/],
  ['version 0', insertKey(0, 'retiring', BYTES), /data_key_version/],
  ['a current key that is destroyed', setKey(3, "state = 'retired', wrapped = NULL"), /data_key_transition/],
  ['a retiring key that is current again', setKey(2, "state = 'current'"), /data_key_(?:transition|current)/],
  ['a retired key that comes back', setKey(1, `state = 'retiring', wrapped = ${BYTES}`), /data_key_transition/],
  ['a retired key with a text', setKey(1, `wrapped = ${BYTES}`), /data_key_destroyed/],
  ['uses that are given back', setKey(3, 'reserved = 0'), /data_key_transition/],
  ['a key of another owner', setKey(3, "owner = 'x'"), /data_key_transition/],
  ['a key that is deleted', ({ owner }) => `DELETE FROM data_key WHERE owner = '${owner}'`, /data_key_no_delete/],
];

/** The database itself has the last word on registrations and keys too. */
export function registrationRawContract(name: string, opened: () => Opened): void {
  const spelled = (statement: string) => (name === 'sqlite' ? statement : statement.replace(/ AS BLOB/g, ' AS bytea'));
  const raw = (statement: string) => {
    const { database } = opened();
    if (!database) throw new Error('not a database');
    return database.raw(spelled(statement));
  };
  const stage = async (): Promise<Scene> => {
    const { store } = opened();
    const held = await register(store, registration({ merchantId: nextId() }));
    const owner = nextId();
    for (const version of [1, 2, 3]) await store.addKey(keyRow(owner, version, { reserved: 7 }));
    await store.retireKey(keyRow(owner, 1));
    return { held, owner };
  };

  for (const [what, statement, refusal] of attempts) {
    test(`${name}: by raw SQL, ${what} is refused`, async () => {
      const { store } = opened();
      const scene = await stage();
      const look = async () => [await store.registration(scene.held.merchantId, scene.held.id), await store.keys(scene.owner)];
      const before = await look();
      await assert.rejects(raw(statement(scene)), (error: Error) => {
        const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
        assert.match(`${constraint} ${error.message}`, refusal);
        return true;
      });
      assert.deepEqual(await look(), before);
    });
  }

  test(`${name}: by raw SQL, valid changes are accepted, so the rest was the reason for the refusals`, async () => {
    const { store } = opened();
    const scene = await stage();
    await raw(set('used_at = 5, expires_at = 6')(scene));
    await raw(set(`sealed = ${BYTES}`)(scene));
    await raw(set("data = '{}', revision = 2")(scene));
    await raw(set("state = 'deleted', sealed = NULL, revision = 3")(scene));
    await raw(insertRegistration(scene));
    await raw(setKey(2, "state = 'retired', wrapped = NULL")(scene));
    const found = await store.registration(scene.held.merchantId, scene.held.id);
    assert.deepEqual([found?.registration.usedAt, found?.registration.state, found?.sealed], [5, 'deleted', null]);
  });
}

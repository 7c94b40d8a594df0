import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onlyMerchant } from '../../src/merchants/merchantFilter.ts';
import type { Delivery } from '../../src/webhooks/webhook.ts';
import { commit, nextId, type Opened, payment } from './storeFixtures.ts';
import { delivery, hook } from './storeWebhookFixtures.ts';

type Scene = { readonly way: Delivery; readonly merchantId: string };
type Attempt = readonly [what: string, statement: (scene: Scene) => string, refusal: RegExp];

const setHook =
  (what: string) =>
  ({ way }: Scene) =>
    `UPDATE webhook SET ${what} WHERE id = '${way.webhookId}'`;
const set =
  (what: string) =>
  ({ way }: Scene) =>
    `UPDATE delivery SET ${what} WHERE webhook_id = '${way.webhookId}' AND id = '${way.id}'`;
const setEvent =
  (what: string) =>
  ({ merchantId }: Scene) =>
    `UPDATE outbox SET ${what} WHERE merchant_id = '${merchantId}'`;
const insertDelivery = ({ way }: Scene, changes: Readonly<Record<string, string>>) => {
  const row = {
    webhook_id: `'${way.webhookId}'`,
    id: `'${nextId()}'`,
    merchant_id: "'m'",
    event_id: `'${nextId()}'`,
    entity_id: "'e'",
    subject_id: "'s'",
    revision: '1',
    type: "'PAYMENT'",
    code: "'c'",
    event_at: '1',
    state: "'due'",
    due_at: '1',
    ready_at: '1',
    tries: "'[]'",
    created_at: '1',
    ...changes,
  };
  return `INSERT INTO delivery (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).join(', ')})`;
};

/** A webhook at its first revision, a delivery that is due, and an event before its fan-out. */
const attempts: readonly Attempt[] = [
  ['another entity of a webhook', setHook("entity_id = 'x', revision = 2"), /webhook_origin_fixed/],
  ['another id of a webhook', setHook("id = 'x', revision = 2"), /webhook_origin_fixed/],
  ['another birthday of a webhook', setHook('created_at = 1, revision = 2'), /webhook_origin_fixed/],
  ['a change of a webhook that is not counted', setHook("data = '{}'"), /webhook_transition/],
  ['a revision of a webhook left out', setHook('revision = 3'), /webhook_transition/],
  ['an unheard-of state of a webhook', setHook("state = 'asleep', revision = 2"), /webhook_state/],
  [
    'a webhook twice',
    ({ way }) =>
      `INSERT INTO webhook (id, entity_id, state, created_at, revision, data) VALUES ('${way.webhookId}', 'x', 'off', 1, 1, '{}')`,
    /webhook_(?:no_replace|pkey)/,
  ],
  ...['webhook_id', 'id', 'merchant_id', 'event_id', 'entity_id', 'subject_id', 'type', 'action', 'code'].map(
    (column): Attempt => [`another ${column} of a delivery`, set(`${column} = 'x'`), /delivery_event_fixed/],
  ),
  ...['revision', 'event_at', 'created_at'].map(
    (column): Attempt => [`another ${column} of a delivery`, set(`${column} = 7`), /delivery_event_fixed/],
  ),
  ['an unheard-of state of a delivery', set("state = 'lost'"), /delivery_state/],
  [
    'a delivery of the same event',
    (scene) => insertDelivery(scene, { merchant_id: `'${scene.way.event.merchantId}'`, event_id: `'${scene.way.event.id}'` }),
    /delivery_once|delivery\.merchant_id, delivery\.event_id, delivery\.webhook_id/,
  ],
  ['revision 0 of an event', (scene) => insertDelivery(scene, { revision: '0' }), /delivery_revision/],
  ['a change of an event', setEvent("code = 'x'"), /outbox_event_fixed/],
  ['an event given to another entity', setEvent("entity_id = 'x'"), /outbox_event_fixed/],
  ['an event in an unknown state', setEvent("state = 'lost'"), /outbox_event_fixed/],
  [
    'an event deleted before its fan-out',
    ({ merchantId }) => `DELETE FROM outbox WHERE merchant_id = '${merchantId}'`,
    /outbox_new_no_delete/,
  ],
];

/** The database itself refuses inconsistent events and deliveries. */
export function webhookRawContract(name: string, opened: () => Opened): void {
  const raw = (statement: string) => {
    const { database } = opened();
    if (!database) throw new Error('not a database');
    return database.raw(statement);
  };
  const stage = async (): Promise<Scene> => {
    const { store } = opened();
    const merchantId = nextId();
    await store.commit(commit(payment({ merchantId }), 0));
    const way = delivery(await hook(store));
    await store.saveFanOut([], [way]);
    return { way, merchantId };
  };

  for (const [what, statement, refusal] of attempts) {
    test(`${name}: by raw SQL, ${what} is refused`, async () => {
      const { store } = opened();
      const scene = await stage();
      const { webhookId } = scene.way;
      const look = async () => [
        (await store.webhooks()).find(({ id }) => id === webhookId),
        await store.deliveries({ webhookId, limit: 9 }),
        await store.pendingEvents(onlyMerchant(scene.merchantId), 9),
      ];
      const before = await look();
      await assert.rejects(raw(statement(scene)), (error: Error) => {
        const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
        assert.match(`${constraint} ${error.message}`, refusal);
        return true;
      });
      assert.deepEqual(await look(), before);
    });
  }

  test(`${name}: by raw SQL, counted changes and delivery state are accepted`, async () => {
    const { store } = opened();
    const scene = await stage();
    await raw(setHook("state = 'off', data = '{}', revision = 2")(scene));
    await raw(set("state = 'dead', due_at = 5, ready_at = 5, tries = '[]', claimed_until = 9")(scene));
    await raw(insertDelivery(scene, {}));
    await raw(setEvent("state = 'fanned_out'")(scene));
    await assert.rejects(raw(setEvent("state = 'new'")(scene)), /outbox_event_fixed|fanned out once/);
    await raw(`DELETE FROM outbox WHERE merchant_id = '${scene.merchantId}'`);
    assert.deepEqual(await store.countDeliveries(scene.way.webhookId), { due: 1, delivered: 0, dead: 1 });
    await raw(`DELETE FROM delivery WHERE webhook_id = '${scene.way.webhookId}'`);
  });
}

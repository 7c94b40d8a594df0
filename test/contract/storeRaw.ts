import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../src/payments/payment.ts';
import {
  APPROVED,
  child,
  commit,
  type Database,
  DECLINED,
  keep,
  moved,
  nextId,
  OPEN,
  type Opened,
  payment,
} from './storeFixtures.ts';

const quoted = (cell: unknown): string => (cell === null ? 'NULL' : typeof cell === 'string' ? `'${cell}'` : String(cell));

/** The row of a payment for raw SQL. */
function insertion(
  { id, merchantId, familyId, referencedId, paymentType, industryPractice, amount }: Payment,
  state: string,
): string {
  const row = {
    merchant_id: merchantId,
    id,
    family_id: familyId,
    entity_id: 'channel',
    referenced_id: referencedId,
    payment_type: paymentType,
    industry_practice: industryPractice,
    state,
    amount,
    currency: 'EUR',
    created_at: 1,
    due_at: state === 'open' ? 1 : null,
    short_id: '',
    version: id === familyId ? 1 : 0,
    revision: 1,
    data: '{}',
  };
  return `INSERT INTO payment (${Object.keys(row).join(', ')}) VALUES (${Object.values(row).map(quoted).join(', ')})`;
}

type Scene = {
  readonly root: Payment;
  readonly capture: Payment;
  readonly debit: Payment;
  readonly where: (of: Payment) => string;
};

/** A PA of 100 with an open capture of 60, and a debit of 100. What a hand could try on them, and the word of the refusal. */
const attempts: readonly (readonly [what: string, statement: (scene: Scene) => string, refusal: RegExp])[] = [
  ['a capture too many', ({ root }) => insertion(child(root, { paymentType: 'CP', amount: 41n }), 'approved'), /balance_overrun/],
  [
    'an open capture too many',
    ({ root }) => insertion(child(root, { paymentType: 'CP', amount: 41n }), 'open'),
    /balance_overrun/,
  ],
  ['a reversal too many', ({ root }) => insertion(child(root, { paymentType: 'RV', amount: 41n }), 'open'), /balance_overrun/],
  [
    'a refund of an open capture',
    ({ capture }) => insertion(child(capture, { paymentType: 'RF', amount: 1n }), 'open'),
    /balance_overrun/,
  ],
  ['a refund too many', ({ debit }) => insertion(child(debit, { paymentType: 'RF', amount: 101n }), 'open'), /balance_overrun/],
  [
    'a chargeback too many',
    ({ debit }) => insertion(child(debit, { paymentType: 'CB', amount: 101n }), 'open'),
    /balance_overrun/,
  ],
  [
    'a chargeback of an authorisation',
    ({ root }) => insertion(child(root, { paymentType: 'CB', amount: 1n }), 'approved'),
    /balance_overrun/,
  ],
  [
    'a chargeback reversal without one',
    ({ debit }) => insertion(child(debit, { paymentType: 'CR', amount: 1n }), 'approved'),
    /balance_overrun/,
  ],
  ['a receipt too many', ({ root }) => insertion(child(root, { paymentType: 'RC', amount: 41n }), 'approved'), /balance_overrun/],
  [
    'a rebill of a capture',
    ({ capture }) => insertion(child(capture, { paymentType: 'RB', amount: 1n }), 'approved'),
    /balance_overrun/,
  ],
  ['chargebacks at once', ({ debit }) => twoAtOnce(debit, 'CB', [50n, 51n]), /balance_overrun/],
  [
    'sums of chargebacks beyond the limit',
    ({ root }) => `UPDATE balance SET charged_back = 41 WHERE payment_id = '${root.id}'`,
    /balance_overrun/,
  ],
  ['another method', ({ debit, where }) => `UPDATE payment SET method = 'DD' ${where(debit)}`, /payment_listing_fixed/],
  ['another mode', ({ debit, where }) => `UPDATE payment SET mode = 'LIVE' ${where(debit)}`, /payment_listing_fixed/],
  ['two captures at once', ({ root }) => twoAtOnce(root, 'CP', [20n, 21n]), /balance_overrun/],
  [
    'a capture of nothing',
    ({ root }) => insertion(child(root, { paymentType: 'CP', referencedId: nextId(), amount: 1n }), 'open'),
    /balance_overrun/,
  ],
  ['a smaller amount', ({ capture, where }) => `UPDATE payment SET amount = 1 ${where(capture)}`, /payment_money_fixed/],
  ['a larger authorisation', ({ root, where }) => `UPDATE payment SET amount = 1000 ${where(root)}`, /payment_money_fixed/],
  ['another currency', ({ root, where }) => `UPDATE payment SET currency = 'USD' ${where(root)}`, /payment_money_fixed/],
  ['another type', ({ capture, where }) => `UPDATE payment SET payment_type = 'DB' ${where(capture)}`, /payment_money_fixed/],
  [
    'another reference',
    ({ capture, where }) => `UPDATE payment SET referenced_id = NULL ${where(capture)}`,
    /payment_(?:money_fixed|family)/,
  ],
  ['another id', ({ root, where }) => `UPDATE payment SET id = 'x' ${where(root)}`, /payment_money_fixed/],
  ['another merchant', ({ root, where }) => `UPDATE payment SET merchant_id = 'x' ${where(root)}`, /payment_money_fixed/],
  [
    'another practice',
    ({ debit, where }) => `UPDATE payment SET industry_practice = 'INCREMENTAL_AUTH' ${where(debit)}`,
    /payment_money_fixed/,
  ],
  [
    'a final payment opened',
    ({ root, where }) => `UPDATE payment SET state = 'open', due_at = 1, revision = 2 ${where(root)}`,
    /payment_transition/,
  ],
  [
    'a final payment turned',
    ({ root, where }) => `UPDATE payment SET state = 'declined', revision = 2 ${where(root)}`,
    /payment_transition/,
  ],
  ['a final payment rewritten', ({ root, where }) => `UPDATE payment SET data = '[]' ${where(root)}`, /payment_transition/],
  [
    'a move that is not counted',
    ({ capture, where }) => `UPDATE payment SET state = 'declined', due_at = NULL ${where(capture)}`,
    /payment_transition/,
  ],
  ['a revision left out', ({ capture, where }) => `UPDATE payment SET revision = 3 ${where(capture)}`, /payment_transition/],
  ['a version turned back', ({ root, where }) => `UPDATE payment SET version = 1 ${where(root)}`, /payment_transition/],
  ['a version left out', ({ root, where }) => `UPDATE payment SET version = version + 2 ${where(root)}`, /payment_transition/],
  ['an unheard-of state', ({ debit }) => insertion(payment({ merchantId: debit.merchantId }), 'paid'), /payment_(?:state|due)/],
  [
    'an amount below zero',
    ({ debit }) => insertion(payment({ merchantId: debit.merchantId, amount: -1n }), 'approved'),
    /payment_amount/,
  ],
  [
    'revision 0',
    ({ debit }) => insertion(payment({ merchantId: debit.merchantId }), 'approved').replace(/1, '\{\}'/, "0, '{}'"),
    /payment_revision/,
  ],
  ['a payment twice', ({ debit }) => insertion(debit, 'approved'), /payment_no_replace|payment_pkey/],
  ['a deletion', ({ root, where }) => `DELETE FROM payment ${where(root)}`, /payment_no_delete/],
  ['a deletion of everything', () => 'DELETE FROM payment', /payment_no_delete/],
  ['sums beyond the limit', ({ root }) => `UPDATE balance SET captured = 101 WHERE payment_id = '${root.id}'`, /balance_overrun/],
  ['sums below zero', ({ root }) => `UPDATE balance SET captured = -1 WHERE payment_id = '${root.id}'`, /balance_signs/],
  ['a second event for one change', ({ root }) => secondEvent(root), /outbox|UNIQUE/],
];

const twoAtOnce = (of: Payment, paymentType: Payment['paymentType'], amounts: readonly bigint[]): string => {
  const rows = amounts.map((amount) => insertion(child(of, { paymentType, amount }), 'open').split('VALUES '));
  return `${rows[0]?.[0]} VALUES ${rows.map(([, values]) => values).join(', ')}`;
};
const secondEvent = ({ merchantId, id }: Payment): string =>
  `INSERT INTO outbox (merchant_id, id, entity_id, subject_id, revision, type, code, created_at)
   VALUES ('${merchantId}', '${nextId()}', 'channel', '${id}', 1, 'PAYMENT', '000.000.000', 1)`;

async function stage({ store }: Opened): Promise<Scene> {
  const merchantId = nextId();
  const root = payment({ paymentType: 'PA', amount: 100n, merchantId });
  const capture = child(root, { paymentType: 'CP', amount: 60n, phase: OPEN });
  const debit = payment({ amount: 100n, merchantId });
  for (const change of [root, capture, debit]) assert.equal(await keep(store, change), 'kept');
  return { root, capture, debit, where: ({ id }) => `WHERE merchant_id = '${merchantId}' AND id = '${id}'` };
}

const databaseOf = ({ database }: Opened): Database => {
  if (!database) throw new Error('not a database');
  return database;
};

/** The database itself refuses inconsistent rows from any client. */
export function rawContract(name: string, opened: () => Opened): void {
  for (const [what, statement, refusal] of attempts) {
    test(`${name}: by raw SQL, ${what} is refused`, async () => {
      const scene = await stage(opened());
      const { store } = opened();
      const before = await store.family(scene.root.merchantId, scene.root.id);
      await assert.rejects(databaseOf(opened()).raw(statement(scene)), (error: Error) => {
        const constraint = 'constraint_name' in error ? String(error.constraint_name) : '';
        assert.match(`${constraint} ${error.message}`, refusal);
        return true;
      });
      assert.deepEqual(await store.family(scene.root.merchantId, scene.root.id), before);
    });
  }

  test(`${name}: by raw SQL, a fitting amount is accepted, so the sum was the reason for the refusal`, async () => {
    const { root, where } = await stage(opened());
    const { raw } = databaseOf(opened());
    await raw(insertion(child(root, { paymentType: 'CP', amount: 40n }), 'approved'));
    await raw(`UPDATE payment SET version = version + 1 ${where(root)}`);
    await assert.rejects(raw(insertion(child(root, { paymentType: 'CP', amount: 1n }), 'approved')));
  });

  test(`${name}: wrong sums are corrected by the next payment`, async () => {
    const { root } = await stage(opened());
    const { raw } = databaseOf(opened());
    await raw(`UPDATE balance SET available = 1000000, captured = 0 WHERE payment_id = '${root.id}'`);
    await assert.rejects(raw(insertion(child(root, { paymentType: 'CP', amount: 41n }), 'open')));
    await raw(`DELETE FROM balance WHERE payment_id = '${root.id}'`);
    await assert.rejects(raw(insertion(child(root, { paymentType: 'CP', amount: 41n }), 'open')));
    await raw(insertion(child(root, { paymentType: 'CP', amount: 40n }), 'open'));
  });

  test(`${name}: the stored sums equal the fold, and a single payment has none`, async () => {
    const { store } = opened();
    const { raw } = databaseOf(opened());
    const { root, capture, debit } = await stage(opened());
    const increment = child(root, { paymentType: 'PA', industryPractice: 'INCREMENTAL_AUTH', amount: 30n });
    const second = child(root, { paymentType: 'CP', amount: 70n, phase: OPEN });
    const reversal = child(increment, { paymentType: 'RV', amount: 5n });
    const steps = [increment, moved(capture, { phase: DECLINED }), second, moved(second, { phase: APPROVED }), reversal];
    const sums = (table: string, id: string) =>
      raw(`SELECT CAST(available AS TEXT) AS available, CAST(captured AS TEXT) AS captured, CAST(reversed AS TEXT) AS reversed
        FROM ${table} WHERE merchant_id = '${root.merchantId}' AND payment_id = '${id}'`);
    for (const change of steps) {
      assert.equal(await keep(store, change), 'kept');
      assert.deepEqual({ ...(await sums('balance', root.id))[0] }, { ...(await sums('payment_sums', root.id))[0] });
    }
    for (const [{ id }, expected] of [
      [root, { available: '130', captured: '70', reversed: '5' }],
      [increment, { available: '30', captured: '0', reversed: '5' }],
    ] as const) {
      assert.deepEqual({ ...(await sums('balance', id))[0] }, expected);
    }
    assert.deepEqual([...(await sums('balance', debit.id))], []);
  });

  test(`${name}: the stored sums of chargebacks equal the fold, up to the first payment`, async () => {
    const { store } = opened();
    const { raw } = databaseOf(opened());
    const { debit } = await stage(opened());
    const first = child(debit, { paymentType: 'CB', amount: 90n });
    const back = child(first, { paymentType: 'CR', amount: 50n, phase: OPEN });
    const again = child(back, { paymentType: 'CB', amount: 20n });
    const sums = (table: string, id: string) =>
      raw(`SELECT CAST(charged_back AS TEXT) AS charged_back, CAST(refunded AS TEXT) AS refunded
        FROM ${table} WHERE merchant_id = '${debit.merchantId}' AND payment_id = '${id}'`);
    for (const [change, expected] of [
      [first, '90'],
      [back, '90'],
      [moved(back, { phase: APPROVED }), '40'],
      [again, '60'],
    ] as const) {
      assert.equal(await keep(store, change), 'kept');
      assert.deepEqual({ ...(await sums('balance', debit.id))[0] }, { charged_back: expected, refunded: '0' });
      for (const { id } of [debit, first, back].slice(0, change === first ? 1 : 2)) {
        assert.deepEqual({ ...(await sums('balance', id))[0] }, { ...(await sums('payment_sums', id))[0] });
      }
    }
  });

  test(`${name}: a sealed instrument may be resealed, because keys are rotated`, async () => {
    const { store } = opened();
    const change = payment();
    await store.commit(commit(change, 0, { sealed: Uint8Array.of(1) }));
    await databaseOf(opened()).raw(`UPDATE payment SET sealed = NULL WHERE id = '${change.id}'`);
    assert.equal(await store.sealed(change.merchantId, change.id), null);
  });

  test(`${name}: the proof of a final payment may be resealed, and nothing else of its data changes`, async () => {
    const { store } = opened();
    const threeDS = { origin: 'here', sealedProof: 'AAAA' } as Payment['threeDS'];
    const change = payment({ threeDS });
    const without = payment({ threeDS: { origin: 'here', sealedProof: null } as Payment['threeDS'] });
    for (const each of [change, without]) await store.commit(commit(each, 0));
    const rewrite = (of: Payment, from: string, to: string) =>
      databaseOf(opened()).raw(`UPDATE payment SET data = replace(data, '${from}', '${to}') WHERE id = '${of.id}'`);
    await rewrite(change, 'AAAA', 'BBBB');
    assert.deepEqual(await store.payment(change.merchantId, change.id), {
      ...change,
      threeDS: { ...threeDS, sealedProof: 'BBBB' },
    });
    for (const [of, from, to] of [
      [change, '"origin":"here","sealedProof":"BBBB"', '"origin":"there","sealedProof":"CCCC"'],
      [change, '"BBBB"', 'null'],
      [without, '"sealedProof":null', '"sealedProof":"CCCC"'],
    ] as const) {
      await assert.rejects(rewrite(of, from, to), /payment_transition/);
    }
  });
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { frankfurtDay } from '../../../src/connectors/sepa/calendar.ts';
import { creditVersions, debitVersions, type MessageVersion } from '../../../src/connectors/sepa/messages.ts';
import { allMerchants } from '../../../src/merchants/merchantFilter.ts';
import { amountText } from '../../../src/money/amount.ts';
import { isApproved } from '../../../src/payments/balance.ts';
import { isOpen, type Payment } from '../../../src/payments/payment.ts';
import type { Connector } from '../../../src/payments/ports.ts';
import { sweep } from '../../../src/payments/sweep.ts';
import { createMemoryStore } from '../../../src/store/memory/memoryStore.ts';
import { freshShops } from '../../http/freshShops.ts';
import { startGateway } from '../../http/gateway.ts';
import { sized } from '../../long.ts';
import { type Chance, createChance } from '../../simulation/chance.ts';
import { send, shopOf } from '../trialShop.ts';
import { settings } from './account.ts';
import { isReturned, openBank } from './bank.ts';
import { germanIban } from './examples.ts';
import { faultyNode } from './faultyNode.ts';
import { createReports } from './reports.ts';
import { noSchemas, schemaFaults } from './xmllint.ts';

const PAYMENTS = sized({ quick: 2_000, assure: 10_000, reliability: 10_000 });
const AT_ONCE = 50;
/** A Monday afternoon, with no holiday for weeks: what a file waits for must not depend on the day of the test. */
const BEGINS_AT = Date.UTC(2027, 2, 1, 14);
const HOUR_MS = 3_600_000;
const JOB = 'work of accounts';

/** A number in letters: a mandate's id has no digits. */
const letters = (number: number): string => String(number).replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '');

function fieldsOf(chance: Chance, number: number, today: string): Readonly<Record<string, string>> {
  const isCredit = chance.hits(0.1);
  return {
    paymentBrand: 'DIRECTDEBIT_SEPA',
    paymentType: isCredit ? 'CD' : 'DB',
    amount: amountText(BigInt(chance.between(100, 90_000))),
    currency: 'EUR',
    'bankAccount.holder': chance.hits(0.12) ? 'Ann Refused' : chance.pick(['Ann Example', 'Jürgen Größer', 'Łukasz Żółć']),
    'bankAccount.iban': germanIban(`37040044${String(number).padStart(10, '0')}`),
    'bankAccount.country': 'DE',
    'bankAccount.bic': 'COBADEFF',
    ...(!isCredit && { 'bankAccount.mandate.id': `Mandate-${letters(number)}`, 'bankAccount.mandate.dateOfSignature': today }),
    ...(!isCredit && chance.hits(0.2) && { transactionDueDate: today }),
  };
}

async function openTrial(seed: number, planted: Planted) {
  const chance = createChance(seed);
  const bank = openBank(chance);
  const node = faultyNode(chance, bank, planted);
  const account = {
    connector: 'sepa',
    settings: { ...settings, transactionsMax: 60, debitVersion: chance.pick(debitVersions) },
  };
  const { shops, rows } = freshShops(1, { connectors: { default: 'bank' }, accounts: { bank: account } });
  const gateway = await startGateway({
    store: createMemoryStore(),
    rows,
    isClockHeld: true,
    beginsAt: BEGINS_AT,
    patienceMs: 5_000,
    connectorKinds: new Map([['sepa', node.kind]]),
  });
  const shop = shopOf(shops[0]);
  return { chance, bank, node, gateway, shop, report: createReports({ gateway, bank, shop, chance }) };
}

type Trial = Awaited<ReturnType<typeof openTrial>>;

/** Time passes, the nodes work, the bank takes files, books and reports, and the gateway asks. */
async function pass({ chance, bank, node, gateway, report }: Trial, hours: number): Promise<void> {
  gateway.pass(hours * HOUR_MS);
  const nodes = chance.hits(0.3) ? 2 : 1;
  await node.work(async () => {
    await Promise.all(Array.from({ length: nodes }, () => gateway.work(JOB)));
  });
  bank.take();
  bank.settle(frankfurtDay(gateway.world.clock.now()));
  await report();
  while ((await sweep(gateway.world, { limit: 1_000, merchants: allMerchants })).stillDue > 0);
}

/** The differences between the gateway's record of a payment and the book of the bank. */
function differencesOf(payment: Payment, family: readonly Payment[], { bank }: Trial): readonly string[] {
  const booked = bank.book.get(payment.id);
  const code = payment.phase.at === 'final' ? payment.phase.code : payment.phase.at;
  const says = (what: string): string =>
    `${payment.paymentType} ${payment.id} ${code}: ${what}; the bank: ${booked?.state ?? 'unknown'}`;
  if (isOpen(payment)) return [says('still open')];
  const found: string[] = [];
  if (booked && booked.times > 1) found.push(says('sent twice'));
  if (booked && booked.amount !== payment.amount) found.push(says('another amount'));
  const hasMoney = booked?.state === 'booked' || booked?.state === 'returned';
  if (isApproved(payment) && !hasMoney) found.push(says('approved and not booked'));
  if (!isApproved(payment) && booked?.state === 'booked') found.push(says('failed and booked'));
  const isCharged = family.some((one) => one.paymentType === 'CB' && one.referencedId === payment.id && isApproved(one));
  if (isApproved(payment) && isCharged !== (booked?.state === 'returned')) found.push(says('returned, or charged back, alone'));
  return found;
}

type Planted = (connector: Connector) => Connector;

/** Runs payments and refunds through the bank, and returns every difference from its book. */
async function tryBank(payments: number, seed: number, planted: Planted = (connector) => connector) {
  const trial = await openTrial(seed, planted);
  const { chance, bank, node, gateway, shop } = trial;
  try {
    const ids: string[] = [];
    const early: string[] = [];
    for (let made = 0; made < payments; made += AT_ONCE) {
      const today = frankfurtDay(gateway.world.clock.now());
      const round = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, at) => send(gateway, shop, { fields: fieldsOf(chance, made + at, today) })),
      );
      ids.push(...round.flatMap(({ id }) => id ?? []));
      await pass(trial, chance.between(1, 12));
      early.push(...(await approvedEarly(trial, ids.slice(-6 * AT_ONCE))));
      // Older ones too: a debit is booked days after it was sent, and only then can it be refunded.
      for (const id of ids.slice(-20 * AT_ONCE).filter(() => chance.hits(0.03))) await refund(trial, id);
    }
    for (let halfDay = 0; halfDay < 20; halfDay += 1) {
      node.state.isFaulty = halfDay < 4;
      bank.settings.isFaulty = halfDay < 4;
      await pass(trial, 12);
    }
    const families = await Promise.all(ids.map((id) => gateway.world.store.family(shop.ownerId, id)));
    const differences = families.flatMap((family) =>
      (family?.payments ?? [])
        .filter(({ paymentType }) => paymentType !== 'CB')
        .flatMap((payment) => differencesOf(payment, family?.payments ?? [], trial)),
    );
    const refunds = families.flatMap((family) => family?.payments ?? []).filter(({ paymentType }) => paymentType === 'RF').length;
    const mishaps = [...bank.counts.values()].reduce((sum, count) => sum + count, 0);
    const { deaths } = node.state;
    return {
      differences: [...bank.faults, ...early, ...differences],
      begun: ids.length,
      refunds,
      mishaps,
      deaths,
      files: bank.files,
      lines: gateway.lines,
    };
  } finally {
    await gateway.close();
  }
}

/** Payments that are approved before the bank has booked them. */
async function approvedEarly({ bank, gateway, shop }: Trial, ids: readonly string[]): Promise<readonly string[]> {
  const payments = await Promise.all(ids.map((id) => gateway.world.store.payment(shop.ownerId, id)));
  const hasMoney = (id: string): boolean => ['booked', 'returned'].includes(bank.book.get(id)?.state ?? '');
  return payments.flatMap((payment) =>
    payment && isApproved(payment) && !hasMoney(payment.id) ? [`${payment.id} is approved too early`] : [],
  );
}

async function refund({ gateway, shop }: Trial, id: string): Promise<void> {
  const payment = await gateway.world.store.payment(shop.ownerId, id);
  // A payment that was refunded and is returned as well is one for a person.
  if (payment?.paymentType !== 'DB' || !isApproved(payment) || isReturned(payment)) return;
  await send(gateway, shop, { id, fields: { paymentType: 'RF', amount: amountText(payment.amount / 2n + 1n), currency: 'EUR' } });
}

test(`sepa: ${PAYMENTS} payments through lost, doubled and truncated files and nodes that die agree with the bank's book`, async () => {
  const { differences, begun, refunds, mishaps, deaths, files, lines } = await tryBank(PAYMENTS, 1);
  assert.deepEqual(differences.slice(0, 10), [], `${differences.length} differences`);
  assert.equal(begun, PAYMENTS);
  assert.ok(mishaps > 10 && deaths > 10 && refunds > 10, `${mishaps} mishaps, ${deaths} deaths, ${refunds} refunds`);
  assert.doesNotMatch(lines.join('\n'), /DE\d{2}37040044|Ann Example/);
  for (const version of [...debitVersions, ...creditVersions] as readonly MessageVersion[]) {
    const texts = files.filter((file) => file.version === version).map(({ text }) => text);
    if (noSchemas === false && texts.length > 0) assert.equal(schemaFaults(version, texts), '');
  }
});

const faults: Readonly<Record<string, Planted>> = {
  'a payment in a file is taken for approved': (connector) => ({
    ...connector,
    async inquire(inquiry) {
      const answer = await connector.inquire(inquiry);
      const { phase } = inquiry.payment;
      return answer.is === 'waiting' && phase.at === 'doubt' && phase.tries > 0 ? { is: 'approved', details: {} } : answer;
    },
  }),
  'silence is taken for failure': (connector) => ({
    ...connector,
    async inquire(inquiry) {
      const answer = await connector.inquire(inquiry);
      return answer.is === 'waiting' ? { is: 'declined', code: '800.100.100', details: {} } : answer;
    },
  }),
};

for (const [name, planted] of Object.entries(faults))
  test(`sepa: the contract finds that ${name}`, async () => {
    const { differences } = await tryBank(2 * AT_ONCE, 2, planted);
    assert.notDeepEqual(differences, [], 'the fault was not found');
  });

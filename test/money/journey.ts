import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { check } from '../../src/form/check.ts';
import type { Context, Fault } from '../../src/form/checked.ts';
import { decode } from '../../src/form/decode.ts';
import { accounts, readLine } from '../../src/ledger/entry.ts';
import { minorUnits } from '../../src/money/amount.ts';
import { draft } from '../../src/payments/draft.ts';
import { type Order, orderOf } from '../../src/payments/order.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { World } from '../../src/payments/ports.ts';
import { project } from '../../src/payments/reply/project.ts';
import { payloadFor } from '../../src/payments/webhook/payload.ts';
import { csvChunks } from '../../src/reports/reconciliation/csv.ts';
import { reportRows } from '../../src/reports/reconciliation/reportRows.ts';
import { settledExample } from '../../src/settlement/examples.ts';
import { recordIdOf } from '../../src/settlement/record.ts';
import { currencies, digitsOf } from '../../src/spec/currencies.ts';
import type { Store } from '../../src/store/store.ts';
import { APPROVED, commit, commitWithEffects, NOW, nextId } from '../contract/storeFixtures.ts';
import { bodyOf, cardPayment } from '../requests.ts';

/** An amount as a form has it, and how it must be shown everywhere: found out by the letters alone, never by reckoning. */
export type Sent = { readonly text: string; readonly currency: string; readonly shown: string; readonly hundredths: string };

const unpadded = (digits: string): string => digits.replace(/^0+(?=[0-9])/, '');

function sentOf(text: string, currency: string): Sent {
  const [whole = '', decimals = '00'] = text.split('.');
  return { text, currency, shown: `${unpadded(whole)}.${decimals}`, hundredths: unpadded(whole + decimals) };
}

const codes = [...currencies.keys()];
const isNothing = (text: string): boolean => /^[0.]+$/.test(text);
const digits = (length: number) =>
  fc.bigInt({ min: 0n, max: 10n ** BigInt(length) - 1n }).map((value) => String(value).padStart(length, '0'));
const wholes = fc.oneof(...Array.from({ length: 10 }, (_, at) => digits(at + 1)));

/** Of every length that the format allows, noughts in front and decimals left out among them; whole ones where a currency has no decimals. */
export const amounts: fc.Arbitrary<Sent> = fc
  .tuple(wholes, fc.option(digits(2), { nil: null, freq: 9 }), fc.constantFrom(...codes))
  .map(([whole, decimals, currency]) => {
    const written = decimals !== null && digitsOf(currency) === 0 ? '00' : decimals;
    return sentOf(written === null ? whole : `${whole}.${written}`, currency);
  })
  .filter(({ text }) => !isNothing(text));

/** Where reckoning with floats goes wrong, and the ends of the format. */
export const edges: readonly Sent[] = ['0.01', '0.07', '0.29', '0.57', '1.10', '1.15', '4.35', '8.20', '19.99', '1024.03']
  .concat('0000000001.05', '1', '10', '0000000010', '9999999999', '9999999999.99', '9999999999.01', '8388608.13', '4294967296.07')
  .map((text) => sentOf(text, 'EUR'));

const [ENTITY, MERCHANT, SETTLED_ON] = [String(cardPayment.entityId), 'merchant', settledExample.settledOn];
const channel = { entityId: ENTITY, merchantId: MERCHANT, isLenient: false, shopperResultHosts: [] };
const context: Context = { endpoint: 'pay', isLenient: false, source: 'server', environment: 'test' };

/** What a form with this body is told to be wrong with; empty when it is taken. */
export function faultsOf(body: string, isLenient: boolean): readonly Fault[] {
  const outcome = check(decode(Buffer.from(body)), { ...context, isLenient });
  return outcome.is === 'faulty' ? outcome.faults : [];
}

function ordered({ text, currency }: Sent): Order {
  const checked = check(decode(Buffer.from(bodyOf(cardPayment, { amount: text, currency }))), context);
  if (checked.is === 'faulty') return assert.fail(`${text} ${currency}: ${JSON.stringify(checked.faults)}`);
  const order = orderOf(checked, { channel, environment: 'test', referencedId: null });
  return order.is === 'faulty' ? assert.fail(JSON.stringify(order.faults)) : order.order;
}

const ids = { next: nextId, short: () => '1234.5678.9012', random: () => '0'.repeat(32) };
const world = { clock: { now: () => NOW }, ids, vault: { fingerprint: () => 'fingerprint' } } as unknown as World;
const base = { buildNumber: 'b', timestamp: 't', ndc: 'n' };

/** Approved at once: what an acquirer does with an amount is no part of the journey. */
function approved(sent: Sent): Payment {
  const order = ordered(sent);
  const amount = order.amount ?? assert.fail(`${sent.text} has got lost`);
  return draft(world, { order, route: null, referenced: null, amount, phase: APPROVED, channelName: 'Shop' });
}

/** As the receiver reads it: what went over the wire. */
const onTheWire = (body: unknown): Record<string, unknown> => JSON.parse(JSON.stringify(body)) as Record<string, unknown>;

type Journey = { readonly sent: Sent; readonly payment: Payment; readonly eventId: string };

/**
 * Sends amounts through everything that a payment goes through, the store with no other payments in it, and says what became of each
 * that arrived anywhere as another one.
 */
export async function changedOnTheWay(store: Store, all: readonly Sent[]): Promise<readonly string[]> {
  const journeys = all.map((sent): Journey => ({ sent, payment: approved(sent), eventId: nextId() }));
  await Promise.all(
    journeys.map(async ({ payment, eventId }) =>
      assert.equal((await commitWithEffects(store, commit(payment, 0, { eventId }))).is, 'kept'),
    ),
  );
  const changed: string[] = [];
  const hold = ({ text, currency }: Sent, where: string, is: unknown, must: string): void => {
    if (is !== must) changed.push(`${text} ${currency} is ${String(is)} ${where}`);
  };
  for (const journey of journeys) await holdTold(store, journey, hold);
  const fileId = await settle(store, journeys);
  await holdFile(store, journeys, hold);
  await holdBooks(store, journeys, { hold, fileId });
  return changed;
}

type Hold = (sent: Sent, where: string, is: unknown, must: string) => void;

/** The store, the answer of the API, the notice, and the count of smallest units for an acquirer. */
async function holdTold(store: Store, { sent, payment, eventId }: Journey, hold: Hold): Promise<void> {
  const kept = (await store.payment(MERCHANT, payment.id)) ?? assert.fail('it is not kept');
  hold(sent, 'in the store', String(kept.amount), sent.hundredths);
  hold(sent, 'in the answer', onTheWire(project(kept, base).body).amount, sent.shown);
  const happened = { id: eventId, type: 'PAYMENT', action: null, code: APPROVED.at === 'final' ? APPROVED.code : '' } as const;
  const events = {
    ...happened,
    merchantId: MERCHANT,
    subjectId: payment.id,
    transactionId: null,
    detail: null,
    createdAt: NOW,
  };
  const notice = await payloadFor({ store, vault: world.vault, channel: () => null, alarm: assert.fail }, events, base);
  const { amount, presentationAmount } = onTheWire(notice?.payload);
  hold(sent, 'in the notice', amount, sent.shown);
  hold(sent, 'as presented', presentationAmount, sent.shown);
  const decimals = digitsOf(sent.currency) ?? assert.fail(sent.currency);
  const units = decimals === 0 ? sent.hundredths.slice(0, -2) : sent.hundredths + '0'.repeat(decimals - 2);
  hold(sent, 'for an acquirer', String(minorUnits(kept.amount, decimals)), units);
}

/** What the acquirer says about them afterwards, all in one file. */
async function settle(store: Store, journeys: readonly Journey[]): Promise<string> {
  const id = nextId();
  const file = { id, entityId: MERCHANT, pspId: 'psp', name: 'file', format: settledExample.format, digest: '0'.repeat(64) };
  const begun = { ...file, lines: 0, readUntil: NOW + 1, faults: [], faultCount: 0, createdAt: NOW };
  await store.beginFile({ ...begun, state: 'reading' });
  const records = await Promise.all(
    journeys.map(async ({ payment }, at) => {
      const { amount, currency } = (await store.payment(MERCHANT, payment.id)) ?? payment;
      const match = { ...settledExample.match, paymentIds: [payment.id] };
      const names = { id: recordIdOf(id, at + 1), fileId: id, line: at + 1, merchantId: MERCHANT, entityId: ENTITY };
      const sums = { amount, settledAmount: amount, fee: amount, currency, settledCurrency: currency };
      return { ...settledExample, ...names, ...sums, match, paymentId: payment.id };
    }),
  );
  assert.ok(await store.addRecords(id, records, NOW + 1));
  assert.ok(await store.keepFile({ ...begun, state: 'kept', lines: records.length }));
  return id;
}

const columns = ['Amount', 'SettlementAmount', 'SettlementFee', 'UniqueID'];

async function holdFile(store: Store, journeys: readonly Journey[], hold: Hold): Promise<void> {
  const asked = { merchantId: MERCHANT, from: SETTLED_ON, to: SETTLED_ON };
  const pieces = await Array.fromAsync(csvChunks(columns, reportRows({ store, entity: () => null }, asked)));
  const rows = parse(Buffer.concat(pieces), { delimiter: ';', columns: true }) as Readonly<Record<string, string>>[];
  const byId = new Map(rows.map((row) => [row.UniqueID, row]));
  for (const { sent, payment } of journeys) {
    hold(sent, 'in the file', byId.get(payment.id)?.Amount, sent.shown);
    hold(sent, 'as settled in the file', byId.get(payment.id)?.SettlementAmount, sent.shown);
    hold(sent, 'as a fee in the file', byId.get(payment.id)?.SettlementFee, sent.shown);
  }
}

type Booking = { readonly hold: Hold; readonly fileId: string };

/** The payment makes the acquirer owe it, and its settlement takes that away again. */
async function holdBooks(store: Store, journeys: readonly Journey[], { hold, fileId }: Booking): Promise<void> {
  const account = accounts.indexOf('acquirer');
  const lines = (await store.unsealed(MERCHANT, 3 * journeys.length)).map(readLine);
  const byId = new Map(lines.map(({ subjectId, amounts: sums }) => [subjectId, String(sums?.[account])]));
  for (const [at, { sent, payment }] of journeys.entries()) {
    hold(sent, 'in the books', byId.get(payment.id), `-${sent.hundredths}`);
    hold(sent, 'in the books as settled', byId.get(recordIdOf(fileId, at + 1)), sent.hundredths);
  }
}

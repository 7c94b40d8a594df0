import { amountText } from '../../../src/money/amount.ts';
import type { TestGateway } from '../../http/gateway.ts';
import { type BankEntry, camtText, type StatusText, statusText } from '../../settlement/bankTexts.ts';
import type { Chance } from '../../simulation/chance.ts';
import { settings } from './account.ts';
import type { BankEvent, openBank } from './bank.ts';

type Reporting = {
  readonly gateway: TestGateway;
  readonly bank: Pick<ReturnType<typeof openBank>, 'takeEvents' | 'takeDuplicates' | 'settings'>;
  readonly shop: { readonly ownerId: string };
  readonly chance: Chance;
};

const CODES = { debit: ['CRDT', 'IDDT/ESDD'], credit: ['DBIT', 'ICDT/ESCT'] } as const;

/** The files of the bank: pain.002 at once, camt.052, camt.053 and camt.054 some time later, some of them twice. */
export function createReports({ gateway, bank, shop, chance }: Reporting) {
  const held: string[] = [];
  let marks = 0;
  const nextMark = (): string => {
    marks += 1;
    return String(marks);
  };

  async function take(text: string): Promise<void> {
    const open = async function* () {
      yield Buffer.from(text);
    };
    const result = await gateway.services.settlement.importFile(shop.ownerId, { name: 'bank.xml', open });
    if (result.is !== 'kept') throw new Error(`the file was ${result.is}: ${JSON.stringify(result).slice(-400)}`);
  }

  const camt = (entries: readonly BankEntry[], kind: '052' | '053' | '054' = chance.pick(['052', '053', '054'])): string =>
    camtText(kind, entries, { iban: settings.iban, mark: nextMark() });

  /** One booking of a part, with its transactions or without them. */
  function bookingOf(events: readonly BankEvent[]): BankEntry {
    const [first] = events;
    if (!first) throw new Error('nothing was booked');
    const { messageId, partId, direction } = first.order;
    const [sign, code] = CODES[direction];
    const details = events.map(({ order }) => ({ id: order.id, booked: amountText(order.amount) }));
    return {
      amount: amountText(events.reduce((sum, { order }) => sum + order.amount, 0n)),
      sign,
      code,
      on: first.on,
      ref: `REF-${partId}`,
      messageId,
      batchId: partId,
      ...(chance.hits(0.5) && { details }),
    };
  }

  const returnOf = ({ order, on, reason }: BankEvent): BankEntry => ({
    amount: amountText(order.amount),
    sign: 'DBIT',
    code: 'IDDT/UPDD',
    on,
    ref: `RET-${order.id}`,
    details: [{ id: order.id, booked: amountText(order.amount), reason: reason ?? 'MS03' }],
  });

  return async function report(): Promise<void> {
    const events = bank.takeEvents();
    for (const status of refusalsIn(events.filter(({ is }) => is === 'rejected')))
      await take(statusText({ ...status, mark: nextMark() }));
    for (const { messageId } of bank.takeDuplicates())
      await take(statusText({ messageId, group: 'RJCT', groupReason: chance.pick(['AM05', 'DUPL', 'DU01']), mark: nextMark() }));
    const bookings = byPart(events.filter(({ is }) => is === 'booked')).map(bookingOf);
    const returns = events.filter(({ is }) => is === 'returned').map(returnOf);
    for (const entries of [bookings, returns].filter(({ length }) => length > 0)) {
      held.push(camt(entries));
      // A statement repeats what a notification has said.
      if (chance.hits(0.2)) held.push(camt(entries));
    }
    const due = bank.settings.isFaulty ? held.splice(0, chance.between(0, held.length)) : held.splice(0);
    for (const text of due) await take(text);
    await gateway.services.settlement.recordDisputes();
  };
}

function byPart(events: readonly BankEvent[]): readonly (readonly BankEvent[])[] {
  const parts = new Map<string, BankEvent[]>();
  for (const event of events) parts.set(event.order.partId, [...(parts.get(event.order.partId) ?? []), event]);
  return [...parts.values()];
}

function refusalsIn(events: readonly BankEvent[]): readonly StatusText[] {
  return byPart(events).map((part) => {
    const [first] = part;
    if (!first) throw new Error('nothing was refused');
    const transactions = part.map(({ order, reason }) => ({ id: order.id, status: 'RJCT', ...(reason !== null && { reason }) }));
    return { messageId: first.order.messageId, batches: [{ id: first.order.partId, transactions }] };
  });
}

import type { DeliveryFolder } from '../../../src/connectors/ports.ts';
import { addTargetDays, type Day } from '../../../src/connectors/sepa/calendar.ts';
import type { MessageVersion } from '../../../src/connectors/sepa/messages.ts';
import { fileFaults } from '../../../src/connectors/sepa/validate.ts';
import { amountOf } from '../../../src/money/amount.ts';
import type { Chance } from '../../simulation/chance.ts';

/** A transaction in the book of the bank. */
export type BankOrder = {
  readonly id: string;
  readonly messageId: string;
  readonly partId: string;
  readonly direction: 'debit' | 'credit';
  readonly amount: bigint;
  readonly dueOn: Day;
  /** `returned`: it was booked, and booked back. */
  state: 'taken' | 'rejected' | 'booked' | 'returned';
  /** How often the bank was told to move the money. */
  times: number;
};

/** What the bank reports in its files. */
export type BankEvent = {
  readonly is: 'rejected' | 'booked' | 'returned';
  readonly order: BankOrder;
  readonly on: Day;
  readonly reason: string | null;
};

export type Duplicate = { readonly messageId: string };

/** What becomes of an upload, in parts of a thousand. */
const MISHAPS = { refused: 80, cut: 100, cutSilently: 60, lost: 60, unanswered: 100, noReceipt: 120 } as const;

/** The merchant's bank: takes files from a folder that fails now and then, validates them, and keeps a book. */
export function openBank(chance: Chance) {
  const folder = new Map<string, Uint8Array>();
  const messages = new Map<string, string>();
  const book = new Map<string, BankOrder>();
  const faults: string[] = [];
  const events: BankEvent[] = [];
  const duplicates: Duplicate[] = [];
  const files: { readonly version: MessageVersion; readonly text: string }[] = [];
  const counts = new Map<string, number>();
  const settings = { isFaulty: true };
  const happens = (mishap: keyof typeof MISHAPS): boolean => {
    if (!settings.isFaulty || chance.below(1_000) >= MISHAPS[mishap]) return false;
    counts.set(mishap, (counts.get(mishap) ?? 0) + 1);
    return true;
  };

  const open = async (): Promise<DeliveryFolder> => {
    if (happens('refused')) throw new Error('connection refused');
    return {
      size: async (name) => folder.get(name)?.length ?? null,
      async put(name, chunks) {
        const bytes = Buffer.concat([...chunks]);
        const isCut = happens('cut');
        if (isCut || happens('cutSilently')) folder.set(name, bytes.subarray(0, chance.below(bytes.length)));
        else if (!happens('lost')) folder.set(name, bytes);
        if (isCut || happens('unanswered')) throw new Error('connection reset');
      },
      async rename(from, to) {
        const bytes = folder.get(from);
        if (!bytes) throw new Error('no such file');
        folder.delete(from);
        folder.set(to, bytes);
        // The bank may have taken the file away before the sender asks again.
        if (happens('noReceipt')) {
          if (chance.hits(0.5)) take();
          throw new Error('connection reset');
        }
      },
      remove: async (name) => void folder.delete(name),
      close() {},
    };
  };

  /** Takes the files that are there. */
  function take(): void {
    for (const [name, bytes] of folder) {
      if (!name.endsWith('.xml')) continue;
      folder.delete(name);
      receive(Buffer.from(bytes).toString('utf8'));
      // Some transports bring a file twice.
      if (settings.isFaulty && chance.hits(0.1)) receive(Buffer.from(bytes).toString('utf8'));
    }
  }

  function receive(text: string): void {
    const version = (/xsd:(pain[\d.]+)"/.exec(text)?.[1] ?? '') as MessageVersion;
    const messageId = textOf(text, 'MsgId');
    const known = messages.get(messageId);
    if (known !== undefined) {
      if (known !== text) faults.push(`${messageId} came with other bytes`);
      duplicates.push({ messageId });
      return;
    }
    messages.set(messageId, text);
    files.push({ version, text });
    faults.push(...fileFaults(text, version).map((fault) => `${messageId}: ${fault}`));
    for (const part of text.split('<PmtInf>').slice(1)) bookPart(messageId, part);
  }

  function bookPart(messageId: string, part: string): void {
    const [head = '', ...transactions] = part.split(/<(?:DrctDbtTxInf|CdtTrfTxInf)>/);
    const direction = textOf(head, 'PmtMtd') === 'DD' ? 'debit' : 'credit';
    const dueOn = direction === 'debit' ? textOf(head, 'ReqdColltnDt') : textOf(head, 'Dt') || textOf(head, 'ReqdExctnDt');
    for (const transaction of transactions) {
      const id = textOf(transaction, 'EndToEndId');
      const before = book.get(id);
      if (before) {
        before.times += 1;
        faults.push(`${id} is in two files`);
        continue;
      }
      const amount = amountOf(/<InstdAmt[^>]*>([\d.]+)</.exec(transaction)?.[1] ?? '') ?? 0n;
      const partId = textOf(head, 'PmtInfId');
      const order: BankOrder = { id, messageId, partId, direction, amount, dueOn, state: 'taken', times: 1 };
      book.set(id, order);
      if (!/<Nm>[^<]*Refused/.test(transaction)) continue;
      order.state = 'rejected';
      events.push({ is: 'rejected', order, on: dueOn, reason: chance.pick(['AC04', 'AM04', 'MD01', 'AC01']) });
    }
  }

  return {
    open,
    take,
    book,
    faults,
    counts,
    settings,
    files,
    messages,
    /** Books what is due on the day, and books some of it back two days later. */
    settle(today: Day): void {
      for (const order of book.values()) {
        if (order.state === 'taken' && order.dueOn <= today) {
          order.state = 'booked';
          events.push({ is: 'booked', order, on: order.dueOn, reason: null });
        } else if (
          order.state === 'booked' &&
          order.direction === 'debit' &&
          isReturned(order) &&
          addTargetDays(order.dueOn, 2) <= today
        ) {
          order.state = 'returned';
          events.push({ is: 'returned', order, on: addTargetDays(order.dueOn, 2), reason: 'MD06' });
        }
      }
    },
    takeEvents: (): readonly BankEvent[] => events.splice(0),
    takeDuplicates: (): readonly Duplicate[] => duplicates.splice(0),
  };
}

/** One in sixteen is returned; the payment's id decides. */
export const isReturned = ({ id }: Pick<BankOrder, 'id'>): boolean => id.endsWith('7');

const textOf = (text: string, name: string): string => new RegExp(`<${name}>([^<]*)<`).exec(text)?.[1] ?? '';

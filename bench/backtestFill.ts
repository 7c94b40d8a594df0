import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import type { EntityRow } from '../src/merchants/ports.ts';
import { sandbox, sandboxRows } from '../src/merchants/sandbox.ts';
import { exampleCommit, examplePayment } from '../src/payments/examples.ts';
import type { Payment } from '../src/payments/payment.ts';
import type { ResultCode } from '../src/spec/resultCodes.ts';
import { entityCells } from '../src/store/areas/accounts.ts';
import { cellsOf } from '../src/store/commit/cells.ts';
import { paymentColumns } from '../src/store/commit/columns.ts';
import { openSqliteStore } from '../src/store/sqlite/sqliteStore.ts';
import { databaseFile } from './sqliteFile.ts';

const SHOPPERS = 200_000;
const BINS = 100;
/** One payment in so many is declined because the card was stolen. */
const BAD_EVERY = 33;
const NO_MONEY_EVERY = 20;
/** A card testing attack on one BIN: so many attempts, a few seconds apart, once in so many payments. */
const ATTACK_EVERY = 20_000;
const ATTACK_LENGTH = 300;
const ABROAD_EVERY = 15;
const PORTION = 50_000;

/** The same numbers from the same seed, so that two runs measure the same payments. */
function chanceFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');

const countries = ['DE', 'AT', 'CH', 'FR', 'IT', 'NL'] as const;
const currencies = ['EUR', 'EUR', 'EUR', 'CHF', 'USD'] as const;
const { merchantId, channelId } = sandbox.demoShop;

type Drawn = {
  readonly at: number;
  readonly ms: number;
  readonly shopper: number;
  readonly bin: number;
  readonly code: ResultCode;
};

/** A payment as the gateway would have stored it. */
function paymentOf({ at, ms, shopper, bin, code }: Drawn, chance: (below: number) => number): Payment {
  const id = `${hex(ms, 12)}${hex(chance(2 ** 30), 8)}${hex(at, 12)}`;
  const country = countries[shopper % countries.length] as string;
  const isRegular = shopper < SHOPPERS;
  const address = [203, (shopper >> 14) & 255, (shopper >> 6) & 255, shopper & 63].join('.');
  return examplePayment({
    id,
    paymentType: at % 10 === 0 ? 'PA' : 'DB',
    amount: BigInt(500 + chance(20_000)),
    currency: currencies[shopper % currencies.length] as string,
    createdAt: ms,
    movedAt: ms + 400,
    phase: { at: 'final', code: code as never },
    merchantTransactionId: `order-${at}`,
    fingerprint: `f1:${hex(shopper, 8)}${'5a'.repeat(28)}`,
    instrument: {
      kind: 'card',
      bin: String(420_000 + bin),
      last4Digits: String(1_000 + (shopper % 9_000)),
      holder: 'Ann Example',
      expiryMonth: '05',
      expiryYear: '2034',
    },
    details: { resultDetails: { ConnectorTxID1: hex(at, 16), AcquirerResponse: '00' }, cvvResponse: 'M' },
    fields: {
      'customer.email': isRegular ? `shopper${shopper}@mail${shopper % 50}.example` : `x${shopper % 7}@nowhere.example`,
      'customer.ip': isRegular ? address : `198.51.100.${shopper % 5}`,
      'customer.givenName': 'Ann',
      'customer.surname': 'Example',
      'customer.merchantCustomerId': `c-${shopper}`,
      'billing.street1': 'Hauptplatz 1',
      'billing.city': 'Town',
      'billing.postcode': '1010',
      'billing.country': country,
      'shipping.country': chance(ABROAD_EVERY) === 0 ? 'US' : country,
    },
    risk: { ruleSet: 'usual', verdict: { is: 'accept' }, asksReview: false, score: 0, fired: [], shadow: [] },
  });
}

/** So many payments of the sandbox shop, the oldest first, the last one a minute ago. */
export function* pastPayments(rows: number, endMs: number): Generator<Payment> {
  const chance = chanceFrom(7);
  const stepMs = 2_000;
  let ms = endMs - 60_000 - rows * stepMs;
  for (let at = 0; at < rows; at += 1) {
    const isAttack = at % ATTACK_EVERY >= ATTACK_EVERY - ATTACK_LENGTH;
    ms += isAttack ? 1_500 : 1_000 + chance(stepMs);
    if (isAttack) {
      const code = at % 30 === 0 ? '000.100.110' : '800.100.159';
      yield paymentOf({ at, ms, shopper: SHOPPERS + at, bin: Math.floor(at / ATTACK_EVERY) % BINS, code }, chance);
      continue;
    }
    const shopper = chance(SHOPPERS);
    const code = chance(BAD_EVERY) === 0 ? '800.100.159' : chance(NO_MONEY_EVERY) === 0 ? '800.100.155' : '000.100.110';
    yield paymentOf({ at, ms, shopper, bin: shopper % BINS, code }, chance);
  }
}

/** The rules are to block: the sandbox only reports. */
const judging = (row: EntityRow): EntityRow =>
  row.parentId === null ? { ...row, settings: { ...row.settings, risk: {} } } : row;

export type BacktestFill = { readonly rows: number; readonly endMs: number; readonly onProgress: (share: number) => void };

/** Makes a database with these payments in a folder, without a journal: nothing is lost when it fails. */
export async function fillPayments(dataDir: string, { rows, endMs, onProgress }: BacktestFill): Promise<string> {
  const store = await openSqliteStore({ dataDir });
  await store.close();
  const file = databaseFile(dataDir);
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000');
  const places = paymentColumns.map((_, at) => `?${at + 1}`).join(', ');
  const insert = db.prepare(`INSERT INTO payment (${paymentColumns.join(', ')}) VALUES (${places})`);
  const insertEntity = db.prepare('INSERT INTO entity (id, kind, parent_id, name, settings) VALUES (?1, ?2, ?3, ?4, ?5)');
  db.exec('BEGIN');
  for (const entity of sandboxRows(0).entities) insertEntity.run(...(entityCells(judging(entity)) as SQLInputValue[]));
  let done = 0;
  for (const payment of pastPayments(rows, endMs)) {
    const event = { id: '', type: 'PAYMENT', action: null, code: '000.100.110' } as const;
    insert.run(...(cellsOf(exampleCommit(payment, { version: 1, event })).slice(0, paymentColumns.length) as SQLInputValue[]));
    done += 1;
    if (done % PORTION !== 0) continue;
    db.exec('COMMIT; BEGIN');
    onProgress(done / rows);
    // Ctrl-C is handled between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
  db.exec('COMMIT; PRAGMA journal_mode = WAL');
  db.close();
  return file;
}

/** The merchant of the payments. */
export const filled = { merchantId, channelId } as const;

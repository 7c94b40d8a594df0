import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verify } from '../../src/ledger/verify.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { withAudit } from '../../src/store/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqliteStore.ts';
import { openBankShop } from './bankShop.ts';
import { type BankEntry, camtText, dayAfter, statusText } from './bankTexts.ts';

const booked = ({ id }: Payment): BankEntry => ({
  amount: '12.00',
  sign: 'CRDT',
  code: 'IDDT/ESDD',
  details: [{ id, booked: '12.00' }],
});

const returned = ({ id }: Payment): BankEntry => ({
  amount: '15.00',
  sign: 'DBIT',
  code: 'IDDT/UPDD',
  ref: 'R',
  on: dayAfter(4),
  details: [{ id, booked: '15.00', amount: '12.00', charges: '3.00', reason: 'AC04' }],
});

test('the proof of the ledger finds no error after a batch, a refusal, an early return and a late one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'turnpike-bank-'));
  const store = await openSqliteStore({ dataDir });
  const shop = await openBankShop(store);
  try {
    const payments = await Promise.all(Array.from({ length: 5 }, () => shop.pay()));
    const [first, second, refused, early, late] = payments as [Payment, Payment, Payment, Payment, Payment];
    shop.send('M1', 'M1-1', [first, second, refused]);
    shop.send('M1', 'M1-2', [early, late]);
    const transactions = [{ id: refused.id, status: 'RJCT', reason: 'AC01' }];
    await shop.take(statusText({ messageId: 'M1', group: 'PART', batches: [{ id: 'M1-1', transactions }] }));
    await shop.take(camtText('054', [returned(early)], { mark: '1' }));
    await shop.take(camtText('053', [{ amount: '24.00', sign: 'CRDT', code: 'IDDT/ESDD', batchId: 'M1-1' }], { mark: '2' }));
    await shop.take(camtText('053', [returned(late), booked(early), booked(late)], { mark: '3' }));
    await shop.take(camtText('054', [booked(late), booked(first)], { mark: '4' }));
    const families = await Promise.all(payments.map((one) => shop.family(one)));
    assert.deepEqual(families, [
      ['DB 000.100.112'],
      ['DB 000.100.112'],
      ['DB 800.100.201'],
      ['DB 800.100.202'],
      ['DB 000.100.112', 'CB 000.100.202'],
    ]);
    assert.deepEqual(await shop.balances(), { merchant: 0n, fees: 600n });
    const refund = await shop.pay({ paymentType: 'RF' }, `/v1/payments/${first.id}`);
    const paid: BankEntry = { amount: '12.00', sign: 'DBIT', code: 'ICDT/ESCT', details: [{ id: refund.id, booked: '12.00' }] };
    const back: BankEntry = {
      amount: '12.00',
      sign: 'CRDT',
      code: 'ICDT/RRTN',
      ref: 'B',
      details: [{ id: refund.id, booked: '12.00', reason: 'AC04' }],
    };
    await shop.take(camtText('053', [paid], { mark: '5' }));
    await shop.take(camtText('053', [back], { mark: '6' }));
    assert.deepEqual(await shop.family(first), ['DB 000.100.112', 'RF 000.100.112', 'CB 000.100.202']);
    assert.deepEqual(await shop.balances(), { merchant: 0n, fees: 600n });
    assert.deepEqual(await shop.exceptions(), []);
    const needs = { merchantId: null, onStep: () => {}, signal: new AbortController().signal };
    const { findings, settlements } = await withAudit({ dataDir }, (audit) => verify(audit, needs));
    assert.deepEqual(findings, []);
    assert.equal(settlements, 7);
  } finally {
    await shop.close();
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
});

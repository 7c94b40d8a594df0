import assert from 'node:assert/strict';
import { defineConnector } from '../../src/connectors/kind.ts';
import type { Payment } from '../../src/payments/payment.ts';
import type { AcquirerAnswer, Capability } from '../../src/payments/ports.ts';
import type { SettlementRecord } from '../../src/settlement/record.ts';
import { createMemoryStore } from '../../src/store/memory/memoryStore.ts';
import type { Store } from '../../src/store/store.ts';
import { freshShops } from '../http/freshShops.ts';
import { startGateway } from '../http/gateway.ts';
import { IBAN } from './bankTexts.ts';

const debits: Capability = {
  types: ['DB', 'RF', 'CD'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
};

type SentMessage = { readonly messageId: string; readonly batchId: string; readonly payments: readonly Payment[] };

/** A shop whose payments go to a bank in files; the test says which payments a message had. */
export async function openBankShop(store: Store = createMemoryStore()) {
  const sent: SentMessage[] = [];
  const kind = defineConnector<object>({
    name: 'filer',
    title: 'Filer',
    modes: ['EXTERNAL'],
    supports: { DD: debits },
    accounts: { settings: {}, secrets: {} },
    steps: {},
    create: (needs, { name }) => {
      const inquire = async ({ payment }: { readonly payment: Payment }): Promise<AcquirerAnswer> => {
        const statuses = (await needs.notificationsOf(payment)).map(({ data }) => data.status);
        if (statuses.includes('rejected') || statuses.includes('returned'))
          return { is: 'declined', code: '800.500.100', details: {} };
        return statuses.includes('booked') ? { is: 'approved', details: {} } : { is: 'waiting' };
      };
      return {
        name,
        modes: ['EXTERNAL'],
        supports: { DD: debits },
        answerMsMax: 1_000,
        uncertainty: { learnedBy: 'file', lateMs: 1_000, cancelBindsLate: false, absenceIsProof: false },
        send: async () => ({ is: 'waiting' }),
        inquire,
        cancel: inquire,
        bankFiles: {
          iban: IBAN,
          async paymentsOfMessage(messageId, batchId) {
            const found = sent.filter(
              (one) => (messageId ?? one.messageId) === one.messageId && (batchId ?? one.batchId) === one.batchId,
            );
            return found.flatMap(({ payments }) => payments.map(({ merchantId, id }) => ({ merchantId, paymentId: id })));
          },
        },
      };
    },
  });
  const account = { connectors: { default: 'bank' }, accounts: { bank: { connector: 'filer', settings: {} } } };
  const { shops, rows } = freshShops(2, account);
  const [shop = assert.fail('no shop'), other = assert.fail('no other shop')] = shops;
  const gateway = await startGateway({ store, rows, connectorKinds: new Map([['filer', kind]]) });
  const merchantId = shop.merchant.entityId;

  type Replied = { readonly id: string; readonly result: { readonly code: string } };

  async function pay(fields: Readonly<Record<string, string>> = {}, path = '/v1/payments', from = shop): Promise<Payment> {
    const body = await reply(fields, path, from);
    return (await store.payment(from.merchant.entityId, body.id)) ?? assert.fail(JSON.stringify(body));
  }

  async function reply(fields: Readonly<Record<string, string>>, path: string, from = shop): Promise<Replied> {
    const isDebit = path === '/v1/payments';
    const answered = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${from.merchant.token}` },
      body: new URLSearchParams({
        entityId: from.channels[0]?.entityId ?? '',
        testMode: 'EXTERNAL',
        paymentType: 'DB',
        amount: '12.00',
        currency: 'EUR',
        ...(isDebit && {
          paymentBrand: 'DIRECTDEBIT_SEPA',
          'bankAccount.iban': 'AT611904300234573201',
          'bankAccount.holder': 'Ann Example',
          'bankAccount.bic': 'BKAUATWW',
          'bankAccount.country': 'AT',
        }),
        ...fields,
      }),
    });
    return (await answered.json()) as Replied;
  }

  return {
    gateway,
    store,
    merchantId,
    shop,
    other,
    pay,
    reply,
    /** Says which payments were sent in a message. */
    send(messageId: string, batchId: string, payments: readonly Payment[]) {
      sent.push({ messageId, batchId, payments });
    },
    /** Imports a file and records what follows from it. */
    async take(text: string | Uint8Array, entityId = merchantId) {
      gateway.pass(1_000);
      const open = async function* () {
        yield Buffer.from(text);
      };
      const result = await gateway.services.settlement.importFile(entityId, { name: 'bank.xml', open });
      await gateway.services.settlement.recordDisputes();
      return result;
    },
    /** The family of a payment in short: type and code. */
    async family({ id }: Payment, owner = merchantId): Promise<readonly string[]> {
      const family = await store.family(owner, id);
      return (family?.payments ?? []).map(
        ({ paymentType, phase }) => `${paymentType} ${phase.at === 'final' ? phase.code : 'open'}`,
      );
    },
    exceptions: (entityId = merchantId): Promise<readonly SettlementRecord[]> =>
      store.exceptions({ entityIds: [entityId], status: null, limit: 100 }),
    /** What the merchant is owed and what banks kept, in hundredths. */
    async balances(): Promise<{ readonly merchant: bigint; readonly fees: bigint }> {
      const [held] = await gateway.services.balances(merchantId, gateway.world.clock.now() + 1);
      return { merchant: held?.accounts.merchant ?? 0n, fees: held?.accounts.fees ?? 0n };
    },
    close: () => gateway.close(),
  };
}

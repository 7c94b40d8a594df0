import assert from 'node:assert/strict';
import { call, card, codeOf, type Fields, lenientShop, type Reply } from '../faults/client.ts';

/** What a shop was told by an earlier release: every later one must still know it. */
export type History = {
  readonly payments: readonly PaymentTold[];
  readonly registrations: readonly { readonly id: string; readonly customer: string }[];
  readonly schedules: readonly string[];
};

export type PaymentTold = {
  readonly name: string;
  readonly id: string;
  readonly paymentType: string;
  readonly amount: string;
  readonly code: string;
  /** `customer.merchantCustomerId` of the payment or of its stored details. */
  readonly customer: string | null;
};

const CUSTOMER = 'customer-17';
const ofCustomer: Fields = { 'customer.merchantCustomerId': CUSTOMER };
const INITIAL: Fields = {
  'standingInstruction.mode': 'INITIAL',
  'standingInstruction.source': 'CIT',
  'standingInstruction.type': 'RECURRING',
};
const account: Fields = {
  paymentBrand: 'DIRECTDEBIT_SEPA',
  'bankAccount.iban': 'DE23100000001234567890',
  'bankAccount.bic': 'MARKDEF1100',
  'bankAccount.holder': 'Ann Example',
  'bankAccount.country': 'DE',
};

type Step = {
  readonly name: string;
  readonly fields: Fields;
  /** The name of the step whose payment it references. */
  readonly of?: string;
  readonly customer?: true;
};

const amounts = (amount: string): Fields => ({ amount, currency: 'EUR' });

/** One of every kind of row that a migration may have to carry over. */
const steps: readonly Step[] = [
  { name: 'authorization', fields: { paymentType: 'PA', ...amounts('50.00'), ...card, ...ofCustomer }, customer: true },
  { name: 'capture', of: 'authorization', fields: { paymentType: 'CP', ...amounts('20.00') } },
  { name: 'refund', of: 'capture', fields: { paymentType: 'RF', ...amounts('5.00') } },
  { name: 'reversed', fields: { paymentType: 'PA', ...amounts('7.00'), ...card } },
  { name: 'reversal', of: 'reversed', fields: { paymentType: 'RV' } },
  { name: 'debit', fields: { paymentType: 'DB', ...amounts('92.00'), ...card, 'customer.email': 'ann@example.org' } },
  { name: 'disputed', fields: { paymentType: 'DB', ...amounts('30.00'), ...card } },
  { name: 'chargeback', of: 'disputed', fields: { paymentType: 'CB', ...amounts('30.00') } },
  { name: 'credit', fields: { paymentType: 'CD', ...amounts('3.00'), ...card } },
  { name: 'bank debit', fields: { paymentType: 'DB', ...amounts('11.00'), ...account } },
  {
    name: 'declined',
    fields: { paymentType: 'DB', ...amounts('4.00'), ...card, 'customParameters[forceResultCode]': '800.100.153' },
  },
  {
    name: 'open',
    fields: { paymentType: 'DB', ...amounts('6.00'), ...card, 'customParameters[forceResultCode]': '000.200.000' },
  },
];

const charge: Fields = { paymentType: 'DB', ...amounts('17.00') };

/** What the shop asked to move; undefined for a reversal, which takes the whole payment back. */
export const requestedAmountOf = (name: string): string | undefined =>
  (name === 'charge' ? charge : steps.find((step) => step.name === name)?.fields)?.amount;

/** The trade of a shop with a gateway, the same with every release. */
export async function makeHistory(url: string): Promise<History> {
  const post = async (path: string, fields: Fields): Promise<Reply & { readonly id: string }> => {
    const reply = await call(url, { method: 'POST', path, fields, shop: lenientShop });
    assert.ok(typeof reply.body?.id === 'string', `POST ${path}: ${reply.text}`);
    return { ...reply, id: reply.body.id };
  };
  const payments: PaymentTold[] = [];
  const told = (name: string, { body, id, ...reply }: Awaited<ReturnType<typeof post>>, customer: string | null): void => {
    const { paymentType = '', amount = '' } = body ?? {};
    payments.push({ name, id, paymentType, amount, code: codeOf({ body, ...reply }), customer });
  };
  for (const { name, fields, of, customer } of steps) {
    const referenced = payments.find((payment) => payment.name === of);
    assert.ok(of === undefined || referenced, `${name} references no earlier step`);
    told(name, await post(referenced ? `/v1/payments/${referenced.id}` : '/v1/payments', fields), customer ? CUSTOMER : null);
  }
  const stored = await post('/v1/registrations', { ...card, ...INITIAL, ...ofCustomer });
  const repeated = {
    'standingInstruction.mode': 'REPEATED',
    'standingInstruction.source': 'MIT',
    'standingInstruction.type': 'RECURRING',
  };
  told('charge', await post(`/v1/registrations/${stored.id}/payments`, { ...charge, ...repeated }), CUSTOMER);
  const plan = { registrationId: stored.id, paymentType: 'DB', ...amounts('17.00'), 'job.month': '*', 'job.dayOfMonth': '1' };
  const schedule = await post('/scheduling/v1/schedules', plan);
  return { payments, registrations: [{ id: stored.id, customer: CUSTOMER }], schedules: [schedule.id] };
}

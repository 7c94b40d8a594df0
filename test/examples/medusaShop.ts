import './medusaHooks.ts';
import { createClient } from '../../src/client/client.ts';
import { createShop } from '../http/checkoutShopper.ts';
import { type Fields, OTHER } from '../http/client.ts';
import { startGateway } from '../http/gateway.ts';

const { createPayments } = await import('../../examples/medusa-payment/src/payments.ts');

export type Payments = ReturnType<typeof createPayments>;
export type Data = Record<string, unknown>;

export const webhookKey = 'ab'.repeat(32);

export const withKey = (idempotency_key: string) => ({ context: { idempotency_key } });

/** A gateway, the provider as Medusa's payment module calls it, and a shopper with the widget. */
export async function startShop() {
  const gateway = await startGateway();
  const options = { url: gateway.url, ...OTHER, webhookKey } as const;
  const payments = createPayments(options);
  const shopper = createShop(gateway.url);
  let sessions = 0;

  const createSessionId = (): string => {
    sessions += 1;
    return `payses_01TEST${String(sessions).padStart(4, '0')}`;
  };

  /** A new session of 92.00 EUR, unless it says otherwise. */
  async function initiate(by: Payments = payments, amount: unknown = { value: '92', precision: 20 }, sent: Data = {}) {
    const session_id = createSessionId();
    const input = { amount, currency_code: 'eur', data: { ...sent, session_id }, context: { idempotency_key: session_id } };
    const { data, id, status } = await by.initiatePayment(input);
    // Medusa keeps what the storefront sent below what the provider returned.
    return { id, status, session_id, input, data: { ...sent, ...data } as Data };
  }

  const pay = async (id: string, fields: Fields = {}) => shopper.payAsApp(id, await shopper.cardForm(id, fields));

  return {
    gateway,
    options,
    payments,
    /** The provider of a shop that takes the money at once. */
    immediate: createPayments({ ...options, paymentType: 'DB' }),
    client: createClient({ url: gateway.url, ...OTHER }),
    createSessionId,
    initiate,
    pay,
    /** A session that is paid and authorized. */
    async authorize(by: Payments = payments): Promise<Data> {
      const { id, data } = await initiate(by);
      await pay(id);
      return (await by.authorizePayment({ data })).data;
    },
  };
}

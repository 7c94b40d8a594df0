import { upstream } from '../../../src/connectors/upstream/upstream.ts';
import { allMerchants } from '../../../src/merchants/merchantFilter.ts';
import { isApproved } from '../../../src/payments/balance.ts';
import type { Payment } from '../../../src/payments/payment.ts';
import { payloadFor } from '../../../src/payments/webhook/payload.ts';
import { createMemoryStore } from '../../../src/store/memory/memoryStore.ts';
import { encryptPayload } from '../../../src/webhooks/wireFormat.ts';
import { CARD, DEMO } from '../../http/client.ts';
import { startGateway } from '../../http/gateway.ts';
import type { Booked, ConnectorUnderTest } from '../contract.ts';
import { WEBHOOK_KEY } from './chain.ts';

const MINUTE_MS = 60_000;
const AT_ONCE = 500;

/** The platform is a second gateway in this process, with a store of its own. */
export const upstreamUnderTest: ConnectorUnderTest = {
  kind: upstream,
  settings: (url) => ({ url, entityId: DEMO.entityId, honoursIdempotencyKey: true }),
  secrets: { accessToken: DEMO.token, webhookKey: WEBHOOK_KEY },
  approved: CARD,
  declined: { ...CARD, 'customParameters[forceResultCode]': '800.100.155' },
  lateMs: 10 * MINUTE_MS,
  async open() {
    const store = createMemoryStore();
    const far = await startGateway({ store, patienceMs: 30_000, isQuiet: true });
    let sent = 0;

    async function notificationsDue() {
      const events = await store.pendingEvents(allMerchants, AT_ONCE);
      await store.saveFanOut(events, []);
      const payloads = await Promise.all(events.map((event) => payloadFor(far.world, event, { buildNumber: 'test' })));
      return payloads.flatMap((payload) => {
        if (!payload) return [];
        const iv = Buffer.alloc(12);
        sent += 1;
        iv.writeUInt32BE(sent);
        const { body, headers } = encryptPayload(JSON.stringify(payload), Buffer.from(WEBHOOK_KEY, 'hex'), {
          iv,
          wrapper: 'NONE',
        });
        return [{ headers, body }];
      });
    }

    return {
      url: far.url,
      async booked({ id, key = id }) {
        const listing = { merchantId: DEMO.merchantId, entityId: null, types: null, methods: null, mode: null, shortId: null };
        const { payments } = await far.services.queries.named(listing, key, { pageNo: 1, limit: AT_ONCE });
        const booked = payments.filter((one) => (one.paymentType === 'PA' || one.paymentType === 'DB') && isApproved(one));
        const [first] = booked;
        const family = first && (await store.family(first.merchantId, first.id));
        return bookOf(booked, family?.payments ?? []);
      },
      takeNotifications: notificationsDue,
      // A request that does not fit is answered with 200.300.404, which the contract finds in our own payments.
      faults: [],
      close: () => far.close(),
    };
  },
};

/** What the platform has booked; a reversed payment counts as not captured. */
function bookOf(booked: readonly Payment[], family: readonly Payment[]): Booked {
  const [first] = booked;
  const good = family.filter(isApproved);
  const isReversed = ({ id }: Payment): boolean => good.some((one) => one.paymentType === 'RV' && one.referencedId === id);
  const total = (payments: readonly Payment[]): bigint => payments.reduce((sum, { amount }) => sum + amount, 0n);
  const captures = good.filter(
    (one) => (one.paymentType === 'CP' || (one.paymentType === 'DB' && one.id === first?.id)) && !isReversed(one),
  );
  return {
    times: booked.length,
    authorised: first?.amount ?? 0n,
    captured: total(captures),
    refunded: total(good.filter(({ paymentType }) => paymentType === 'RF')),
    isCancelled: first !== undefined && isReversed(first),
  };
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Payment } from '../../../src/payments/payment.ts';
import { openTrial } from '../contract.ts';
import { adyenUnderTest, signedNotification } from './server.ts';

type Opened = Awaited<ReturnType<typeof openTrial>>;

/** What a bank did to a payment, as Adyen reports it. */
type Reported = {
  readonly eventCode: string;
  readonly value?: bigint;
  readonly pspReference?: string;
  readonly additionalData?: Readonly<Record<string, string>>;
};

async function familyOf({ gateway, shop }: Opened, id: string): Promise<readonly Payment[]> {
  const family = await gateway.world.store.family(shop.ownerId, id);
  assert.ok(family);
  return family.payments;
}

/** Type, amount and result of what was recorded. */
const recorded = (payments: readonly Payment[]): readonly string[] =>
  payments
    .filter(({ paymentType }) => ['CB', 'CR'].includes(paymentType))
    .map(({ paymentType, amount, phase }) => `${paymentType} ${amount} ${phase.at === 'final' ? phase.code : phase.at}`);

async function report({ deliver, gateway }: Opened, payment: Payment, event: Reported): Promise<void> {
  // Records of one millisecond have no order.
  gateway.pass(1_000);
  const { eventCode, value = payment.amount, pspReference = 'DISPUTE000000001', additionalData = {} } = event;
  const { merchantId, id, currency, amount, reference } = payment;
  const notification = signedNotification({
    eventCode,
    success: true,
    pspReference,
    ...(reference !== undefined && { originalReference: reference }),
    merchantReference: `${merchantId}.${id}.${amount}`,
    value,
    currency,
    additionalData,
  });
  assert.equal(await deliver(notification), 200);
  assert.equal(await deliver(notification), 200, 'it comes twice');
}

/** A payment with what follows it, decided by the notifications of Adyen. */
async function pay(opened: Opened, types: readonly ('PA' | 'DB' | 'CP' | 'RF')[]): Promise<readonly Payment[]> {
  const { post, server, deliver } = opened;
  let first: string | undefined;
  let last: string | undefined;
  for (const paymentType of types) {
    const isFirst = last === undefined;
    const fields = { ...(isFirst && adyenUnderTest.approved), paymentType, amount: '92.00', currency: 'EUR' };
    const { id } = await post(fields, last);
    for (const one of await server.takeNotifications()) assert.equal(await deliver(one), 200);
    last = id;
    first ??= id;
  }
  return familyOf(opened, first ?? '');
}

const withGateway = (run: (opened: Opened) => Promise<void>) => async (): Promise<void> => {
  const opened = await openTrial(adyenUnderTest, { payments: 0, seed: 1 });
  try {
    await run(opened);
    assert.deepEqual(opened.server.faults, []);
  } finally {
    await opened.close();
  }
};

test(
  'a dispute of a debit, given back, and taken again',
  withGateway(async (opened) => {
    const [debit] = await pay(opened, ['DB']);
    assert.ok(debit);
    const additionalData = { chargebackReasonCode: '10.4', chargebackSchemeCode: 'visa' };
    await report(opened, debit, { eventCode: 'NOTIFICATION_OF_CHARGEBACK' });
    assert.deepEqual(recorded(await familyOf(opened, debit.id)), []);
    await report(opened, debit, { eventCode: 'CHARGEBACK', additionalData });
    await report(opened, debit, { eventCode: 'CHARGEBACK_REVERSED' });
    await report(opened, debit, { eventCode: 'SECOND_CHARGEBACK', additionalData });
    assert.deepEqual(recorded(await familyOf(opened, debit.id)), [
      'CB 9200 000.100.220',
      'CR 9200 000.100.112',
      'CB 9200 000.100.220',
    ]);
  }),
);

for (const eventCode of ['PREARBITRATION_LOST', 'SCHEME_ARBITRATION_LOST'])
  test(
    `money that was given back is taken again by ${eventCode}, and questions move none`,
    withGateway(async (opened) => {
      const [debit] = await pay(opened, ['DB']);
      assert.ok(debit);
      await report(opened, debit, { eventCode: 'CHARGEBACK', additionalData: { chargebackReasonCode: '13.1' } });
      await report(opened, debit, { eventCode: 'CHARGEBACK_REVERSED' });
      for (const question of [
        'PREARBITRATION_OPEN',
        'SCHEME_ARBITRATION',
        'PREARBITRATION_WON',
        'ISSUER_RESPONSE_TIMEFRAME_EXPIRED',
      ])
        await report(opened, debit, { eventCode: question });
      assert.deepEqual(recorded(await familyOf(opened, debit.id)), ['CB 9200 000.100.221', 'CR 9200 000.100.112']);
      await report(opened, debit, { eventCode, additionalData: { chargebackReasonCode: '13.1' } });
      assert.deepEqual(recorded(await familyOf(opened, debit.id)), [
        'CB 9200 000.100.221',
        'CR 9200 000.100.112',
        'CB 9200 000.100.221',
      ]);
    }),
  );

test(
  'a dispute of an authorisation is one of its capture, named or not',
  withGateway(async (opened) => {
    for (const isNamed of [true, false]) {
      const [authorisation, capture] = await pay(opened, ['PA', 'CP']);
      assert.ok(authorisation && capture?.reference);
      const additionalData: Readonly<Record<string, string>> = isNamed ? { capturePspReference: capture.reference } : {};
      const pspReference = isNamed ? 'DISPUTE000000002' : 'DISPUTE000000003';
      await report(opened, authorisation, { eventCode: 'CHARGEBACK', value: 4200n, pspReference, additionalData });
      const family = await familyOf(opened, authorisation.id);
      assert.deepEqual(recorded(family), ['CB 4200 000.100.200']);
      assert.equal(family.find(({ paymentType }) => paymentType === 'CB')?.referencedId, capture.id);
    }
  }),
);

test(
  'a capture or refund that fails after its approval is charged back',
  withGateway(async (opened) => {
    const [authorisation, capture] = await pay(opened, ['PA', 'CP']);
    assert.ok(authorisation && capture?.reference);
    await report(opened, authorisation, { eventCode: 'CAPTURE_FAILED', pspReference: capture.reference });
    assert.deepEqual(recorded(await familyOf(opened, authorisation.id)), ['CB 9200 000.100.226']);
    const [debit, refund] = await pay(opened, ['DB', 'RF']);
    assert.ok(debit && refund?.reference);
    await report(opened, debit, { eventCode: 'REFUND_FAILED', pspReference: refund.reference });
    const family = await familyOf(opened, debit.id);
    assert.deepEqual(recorded(family), ['CB 9200 000.100.226']);
    assert.equal(family.find(({ paymentType }) => paymentType === 'CB')?.referencedId, refund.id);
  }),
);

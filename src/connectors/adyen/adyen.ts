import type { Capability, Connector, Uncertainty } from '../../payments/ports.ts';
import { MINUTE_MS } from '../../spec/time.ts';
import { type Account, defineConnector, practiceLimit, withValidities } from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { sendWithin } from '../sendWithin.ts';
import { type AdyenParts, createClient, steps } from './client.ts';
import { codeRows } from './codes.ts';
import { cancelPayment, inquireModification, isModification, sendModification } from './modifications.ts';
import { createNotificationReader } from './notifications.ts';
import { completePayment, inquirePayment, sendPayment, shopperStep } from './pay.ts';
import { brandsTaken } from './paymentMethods.ts';
import { adyenExponents } from './requests.ts';
import { type AdyenSettings, secretRows, settingFaults, settingRows } from './settings.ts';
import { createForgetting } from './steps.ts';

/** Adyen waits for issuers; the tries of the client end before. */
const ANSWER_MS_MAX = 60_000;
/** The first notifications and their immediate repetitions are over by then. */
const LATE_MS = 5 * MINUTE_MS;

/** A debit is cancelled or refunded, whichever is still possible. */
const reversal = { until: '23:59', daysLater: { DB: 1 } } as const;
const paid: Capability = {
  types: ['PA', 'DB', 'CP', 'RV', 'RF'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: true,
  reversal,
};
const card: Capability = { ...paid, types: ['PA', 'DB', 'CP', 'RV', 'RF', 'RG'], redirects: false };
const debit: Capability = { ...paid, types: ['DB', 'RV', 'RF'], redirects: false };
const transfer: Capability = { ...debit, redirects: true };

/** Money that was paid with a slip cannot be sent back to it. */
const slip: Capability = { ...transfer, types: ['DB'], reversal: null };

const supports = withValidities('adyen', { CC: card, DC: card, DD: debit, OT: transfer, VA: paid, IV: paid, PP: slip });

// A cancellation that finds no payment, and no notification of one after that, means that none arrived.
const uncertainty: Uncertainty = { learnedBy: 'notification', lateMs: LATE_MS, cancelBindsLate: false, absenceIsProof: true };

/** The Checkout API of Adyen, version 72. */
export const adyen = defineConnector<AdyenSettings>({
  name: 'adyen',
  title: 'Adyen',
  modes: ['EXTERNAL', 'LIVE'],
  supports,
  brands: brandsTaken,
  exponents: adyenExponents,
  uncertainty,
  codes: codeRows,
  limits: [practiceLimit],
  steps,
  accounts: { settings: settingRows, secrets: secretRows, faults: settingFaults },
  probe: {
    secret: 'apiKey',
    request: ({ url, merchantAccount }, secret) => ({
      method: 'POST',
      url: `${url}/paymentMethods`,
      headers: { 'content-type': 'application/json', 'x-api-key': secret },
      body: JSON.stringify({ merchantAccount }),
    }),
    refusedBy: [401, 403],
  },
  create,
});

/** The payment types and methods that the merchant account is set up for. */
function supported({ multipleCaptures, verificationCurrency }: AdyenSettings): Connector['supports'] {
  const narrowed = Object.entries(supports).map(([method, capability]) => {
    const types = capability.types.filter((type) => type !== 'RG' || verificationCurrency !== '');
    return [method, { ...capability, types, multipleCaptures }] as const;
  });
  return Object.fromEntries(narrowed);
}

function create(needs: AccountNeeds, { name, ownerId, settings, secret }: Account<AdyenSettings>): Connector {
  const partsWith = (own: AccountNeeds): AdyenParts => ({
    needs: own,
    settings,
    post: createClient({ ...own, url: settings.url, apiKey: () => secret('apiKey') }),
  });
  const parts = partsWith(needs);
  return {
    name,
    acquirerAccount: `${settings.url} ${settings.merchantAccount}`,
    modes: ['EXTERNAL', 'LIVE'],
    supports: supported(settings),
    answerMsMax: ANSWER_MS_MAX,
    uncertainty,
    send: (attempt) =>
      sendWithin(needs, attempt, (own) =>
        isModification(attempt.payment) ? sendModification(partsWith(own), attempt) : sendPayment(partsWith(own), attempt),
      ),
    inquire: (inquiry) =>
      isModification(inquiry.payment) ? inquireModification(parts, inquiry) : inquirePayment(parts, inquiry),
    // A modification is never given up: its notification decides.
    cancel: async (inquiry) => (isModification(inquiry.payment) ? { is: 'waiting' } : cancelPayment(parts, inquiry)),
    completeReturn: (inquiry, parameters) => completePayment(parts, inquiry, parameters),
    shopperStep: (inquiry) => shopperStep(parts, inquiry),
    upkeep: createForgetting(needs, () => needs.clockOf(ownerId).now()),
    readNotification: createNotificationReader({
      merchantAccount: settings.merchantAccount,
      alarm: needs.alarm,
      basicAuth: () => secret('basicAuth'),
      async hmacKeys() {
        const keys = await Promise.all([secret('hmacKey'), secret('hmacKeyNext')]);
        return keys.filter((key) => key !== null);
      },
    }),
  };
}

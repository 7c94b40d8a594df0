import type { Payment } from '../../payments/payment.ts';
import type { AcquirerAnswer, Attempt, Capability, Connector, Inquiry, Uncertainty } from '../../payments/ports.ts';
import {
  type Account,
  choiceRow,
  defineConnector,
  flagRow,
  numberRow,
  optionalTextRow,
  practiceLimit,
  type SecretRows,
  type SettingRows,
  urlRow,
  withValidities,
} from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { sendWithin } from '../sendWithin.ts';
import { cancelCapture, inquireCapture, sendCapture } from './captures.ts';
import { API_VERSION, createClient, steps } from './client.ts';
import { codeRows } from './codes.ts';
import { cancelIncrement, inquireIncrement, isIncrement, sendIncrement } from './increments.ts';
import { createNotificationReader } from './notifications.ts';
import { cancelPayment, inquirePayment, sendPayment } from './payments.ts';
import { cancelRefund, cancelReversal, inquireRefund, sendRefund, sendReversal } from './refunds.ts';
import { SEARCH_LAG_MS, type Session, type StripeSettings, stripeExponents } from './session.ts';

const card: Capability = {
  types: ['PA', 'DB', 'CP', 'RV', 'RF', 'RG'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: false,
  // A debit is refunded, never reversed.
  reversal: { until: '23:59', daysLater: {} },
};
const directDebit: Capability = {
  types: ['DB', 'RF', 'RG'],
  partialCapture: false,
  multipleCaptures: false,
  redirects: false,
  reversal: null,
};

const settings: SettingRows<StripeSettings> = {
  url: urlRow('The address of the API.', 'https://api.stripe.com'),
  connectedAccount: optionalTextRow({
    help: 'The connected account that payments are made for; empty without Connect.',
    says: 'empty, or an id such as acct_1032D82eZvKYlo2C',
    pattern: /^(?:acct_[A-Za-z0-9]{1,60})?$/,
  }),
  acquirerAuthentication: flagRow(
    'Redirects the shopper when the issuer asks for 3D Secure and the request has no proof of one.',
    true,
  ),
  storeCredentials: flagRow('Keeps stored payment details at the acquirer too, as payment methods of a customer.', true),
  multicapture: flagRow('Asks for several captures of one authorisation where the card allows them.', false),
  incrementalAuthorisation: flagRow('Asks for authorisations that can be raised where the card allows them.', false),
  descriptorCharacters: numberRow('So many characters of the descriptor are sent for the shopper’s statement; 0: none.', {
    least: 0,
    most: 22,
    fallback: 0,
  }),
  ugxDecimals: choiceRow(['unknown', '0', '2'], {
    help: 'Decimals of UGX on this account, tried in test mode; unknown: payments in UGX are refused.',
    fallback: 'unknown',
  }),
};

const secrets: SecretRows = {
  secretKey: {
    help: 'The secret key, or a restricted key with the rights that the page of this connector lists.',
    says: 'a key that begins with sk_test_, rk_test_, sk_live_ or rk_live_',
    fits: (text) => /^(?:sk|rk)_(?:test|live)_[A-Za-z0-9]{8,250}$/.test(text),
  },
  webhookSecret: {
    help: 'The signing secret of the webhook endpoint.',
    says: 'a secret that begins with whsec_',
    fits: (text) => /^whsec_[\x21-\x7e]{4,250}$/.test(text),
  },
};

const ANSWER_MS_MAX = 45_000;
/** No try begins in the last seconds, so that its answer can still count. */
const BUDGET_MS = 40_000;

/** An intent is found by our id while its key lives, then by a search. A cancelled intent refuses a late confirmation. */
const uncertainty: Uncertainty = { learnedBy: 'id', lateMs: SEARCH_LAG_MS, cancelBindsLate: true, absenceIsProof: true };

type Verbs = {
  send(session: Session, attempt: Attempt): Promise<AcquirerAnswer>;
  inquire(session: Session, inquiry: Inquiry): Promise<AcquirerAnswer>;
  cancel(session: Session, inquiry: Inquiry): Promise<AcquirerAnswer>;
};

const payments: Verbs = { send: sendPayment, inquire: inquirePayment, cancel: cancelPayment };
const verbsByType: Readonly<Record<string, Verbs>> = {
  CP: { send: sendCapture, inquire: inquireCapture, cancel: cancelCapture },
  RF: { send: sendRefund, inquire: inquireRefund, cancel: cancelRefund },
  RV: { send: sendReversal, inquire: sendReversal, cancel: cancelReversal },
};
const increments: Verbs = { send: sendIncrement, inquire: inquireIncrement, cancel: cancelIncrement };

const verbsFor = (payment: Payment): Verbs =>
  isIncrement(payment) ? increments : (verbsByType[payment.paymentType] ?? payments);

function create(needs: AccountNeeds, account: Account<StripeSettings>): Connector {
  const { settings: options } = account;
  const narrowed: Capability = { ...card, multipleCaptures: options.multicapture };

  function sessionOf(merchantId: string, isLive: boolean, own: AccountNeeds = needs): Session {
    const clock = needs.clockOf(merchantId);
    const { url, connectedAccount } = options;
    const secretKey = () => account.secret('secretKey');
    const client = createClient(own, { url, connectedAccount, isLive, clock, budgetMs: BUDGET_MS, secretKey });
    return { client, settings: options, needs, now: () => clock.now() };
  }
  const sessionFor = ({ merchantId, mode }: Payment, own = needs): Session => sessionOf(merchantId, mode === 'LIVE', own);

  return {
    name: account.name,
    modes: ['EXTERNAL', 'LIVE'],
    supports: withValidities('stripe', { CC: narrowed, DC: narrowed, DD: directDebit }),
    answerMsMax: ANSWER_MS_MAX,
    uncertainty,
    send: (attempt) =>
      sendWithin(needs, attempt, (own) => verbsFor(attempt.payment).send(sessionFor(attempt.payment, own), attempt)),
    inquire: (inquiry) => verbsFor(inquiry.payment).inquire(sessionFor(inquiry.payment), inquiry),
    cancel: (inquiry) => verbsFor(inquiry.payment).cancel(sessionFor(inquiry.payment), inquiry),
    completeReturn: (inquiry) => verbsFor(inquiry.payment).inquire(sessionFor(inquiry.payment), inquiry),
    readNotification: createNotificationReader({ needs, account, sessionOf }),
  };
}

/** Stripe, by payment intents. */
export const stripe = defineConnector<StripeSettings>({
  name: 'stripe',
  title: 'Stripe',
  modes: ['EXTERNAL', 'LIVE'],
  supports: withValidities('stripe', { CC: card, DC: card, DD: directDebit }),
  brands: { DD: ['DIRECTDEBIT_SEPA'] },
  exponents: stripeExponents,
  uncertainty,
  codes: codeRows,
  limits: [practiceLimit],
  steps,
  accounts: { settings, secrets },
  probe: {
    secret: 'secretKey',
    request: ({ url }, secret) => ({
      method: 'GET',
      url: `${url.replace(/\/$/, '')}/v1/balance`,
      headers: { authorization: `Bearer ${secret}`, 'stripe-version': API_VERSION, accept: 'application/json' },
    }),
    // A restricted key without this right is answered with 403.
    refusedBy: [401],
  },
  create,
});

import type { Capability, Connector, Uncertainty } from '../../payments/ports.ts';
import { UNSENT_SECONDS_MAX } from '../../spec/routing.ts';
import { MINUTE_MS, SECOND_MS } from '../../spec/time.ts';
import {
  type Account,
  choiceRow,
  defineConnector,
  flagRow,
  numberRow,
  secretRow,
  textRow,
  urlRow,
  withValidities,
} from '../kind.ts';
import type { AccountNeeds } from '../ports.ts';
import { sendWithin } from '../sendWithin.ts';
import { codeRows } from './answers.ts';
import { createApi, steps } from './client.ts';
import { createConclude, createInquiries, createMirror, createSearch } from './inquiries.ts';
import { readWebhook } from './notifications.ts';
import { identityFields, parameterRows } from './requests.ts';
import { createSend, createUndo } from './send.ts';

type Settings = {
  readonly url: string;
  readonly entityId: string;
  readonly testMode: 'none' | 'INTERNAL' | 'EXTERNAL';
  readonly registrations: 'ours' | 'theirs';
  readonly honoursIdempotencyKey: boolean;
  readonly answerSeconds: number;
};

/** The platform has limits of its own and refuses what it does not do; these are the widest. */
const card: Capability = {
  types: ['PA', 'DB', 'CD', 'CP', 'RV', 'RF', 'RG'],
  partialCapture: true,
  multipleCaptures: true,
  redirects: true,
  reversal: { until: '23:59', daysLater: { DB: 7, CD: 7, CP: 7 } },
};
const supports = withValidities('upstream', { CC: card, DC: card, DD: card, VA: card, OT: card, CT: card, PP: card, IV: card });
/** Stored details are charged by their number, and the platform learns nothing of them. */
const withoutRegistrations = Object.fromEntries(
  Object.entries(supports).map(([method, capability]) => [
    method,
    { ...capability, types: capability.types.filter((type) => type !== 'RG') },
  ]),
);

const WEBHOOK_KEY = {
  says: '64 hexadecimal digits',
  fits: (text: string) => /^[0-9a-fA-F]{64}$/.test(text),
  isOptional: true,
} as const;

/** So long after it was sent, a payment may still arrive at the platform or appear in its query. */
const LATE_MS = 10 * MINUTE_MS;
const uncertainty: Uncertainty = { learnedBy: 'search', lateMs: LATE_MS, cancelBindsLate: false, absenceIsProof: true };

/** Any other platform that speaks this API, another Turnpike among them. */
export const upstream = defineConnector<Settings>({
  name: 'upstream',
  title: 'Another platform of this API',
  modes: ['EXTERNAL', 'LIVE'],
  supports,
  exponents: {},
  uncertainty,
  codes: codeRows,
  steps,
  parameters: parameterRows,
  probe: {
    secret: 'accessToken',
    request: ({ url, entityId }, secret) => ({
      method: 'GET',
      url: `${url.replace(/\/+$/, '')}/v1/query?${new URLSearchParams({ entityId, merchantTransactionId: 'turnpike-doctor' })}`,
      headers: { authorization: `Bearer ${secret}`, accept: 'application/json' },
    }),
    refusedBy: [401, 403],
  },
  accounts: {
    settings: {
      url: urlRow('The address of the platform, without /v1.'),
      entityId: textRow({
        help: "The channel at the platform that takes the payments: the platform's entityId.",
        says: '32 letters and digits',
        pattern: /^[0-9a-zA-Z]{32}$/,
      }),
      testMode: choiceRow(['none', 'INTERNAL', 'EXTERNAL'], {
        help: 'The testMode that is sent with payments in mode EXTERNAL; a platform in live refuses any.',
        fallback: 'none',
      }),
      registrations: choiceRow(['ours', 'theirs'], {
        help: 'theirs: what is stored here is stored at the platform too, and charged by its id there.',
        fallback: 'ours',
      }),
      honoursIdempotencyKey: flagRow(
        'The platform answers a repeated Idempotency-Key with the first payment, as another Turnpike does. ' +
          'Only then a request without an answer is sent again.',
        false,
      ),
      answerSeconds: numberRow('How long the platform may take to answer a payment.', { least: 5, most: 120, fallback: 60 }),
    },
    secrets: {
      accessToken: secretRow('The access token of the platform, without "Bearer".'),
      webhookKey: { ...WEBHOOK_KEY, help: 'The key with which the platform encrypts webhooks.' },
      webhookKeyBefore: { ...WEBHOOK_KEY, help: 'The key before it, while the key is exchanged.' },
    },
  },
  create,
});

/** Work before the request leaves does not shorten the time for its answer. */
const GRACE_MS = UNSENT_SECONDS_MAX * SECOND_MS;
const QUESTION_MS = 20 * SECOND_MS;

function create(needs: AccountNeeds, account: Account<Settings>): Connector {
  const { alarm, documents, clockOf } = needs;
  const { settings } = account;
  const answerMs = settings.answerSeconds * SECOND_MS;
  const apiWith = (own: Pick<AccountNeeds, 'exchange'>) => createApi(own, settings, () => account.secret('accessToken'));
  const api = apiWith(needs);
  const search = createSearch({ api, withinMs: Math.min(QUESTION_MS, answerMs) });
  const testMode = needs.environment === 'live' || settings.testMode === 'none' ? null : settings.testMode;
  const isMirrored = settings.registrations === 'theirs';
  const mirror = isMirrored ? createMirror({ documents, clockOf }) : null;
  const conclude = createConclude({ alarm, mirror });
  const undo = createUndo({
    api,
    search,
    alarm,
    withinMs: answerMs,
    fieldsFor: (payment) => identityFields(payment, { testMode }),
  });
  const sending = { conclude, mirror, testMode, answerMs, isRepeatable: settings.honoursIdempotencyKey };
  return {
    name: account.name,
    modes: upstream.modes,
    supports: isMirrored ? supports : withoutRegistrations,
    answerMsMax: answerMs + GRACE_MS,
    uncertainty,
    send: (attempt) => sendWithin(needs, attempt, (own) => createSend({ ...own, ...sending, api: apiWith(own) })(attempt)),
    ...createInquiries({ clockOf, search, conclude, undo }),
    readNotification(request) {
      const names = ['webhookKey', 'webhookKeyBefore'];
      const keys = async () => (await Promise.all(names.map((name) => account.secret(name)))).filter((key) => key !== null);
      return readWebhook({ keys, search }, request);
    },
  };
}

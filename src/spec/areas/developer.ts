import { ENTITY, free, limit, needed } from '../admin/field.ts';
import { count, id, instant, type Kind, matching, oneOf } from '../admin/kinds.ts';
import { isRecord } from '../json.ts';
import { admin } from './row.ts';

/** Fields that stand in the place of masked ones: by the names of the API. They are used and never shown. */
const FILLED_MAX = 50;
const FILLED_LENGTH_MAX = 4_096;
const isFilled = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) &&
  Object.keys(value).length <= FILLED_MAX &&
  Object.entries(value).every(
    ([name, text]) => /^[\w.[\]-]{1,128}$/.test(name) && typeof text === 'string' && text.length <= FILLED_LENGTH_MAX,
  );

const filled: Kind<Readonly<Record<string, string>>> = {
  says: `must be a JSON object of at most ${FILLED_MAX} parameters and their texts`,
  schema: { type: 'object', maxProperties: FILLED_MAX, additionalProperties: { type: 'string', maxLength: FILLED_LENGTH_MAX } },
  read: (value) => (isFilled(value) ? value : undefined),
  good: [{}, { 'card.number': '4200000000000000', 'card.cvv': '123' }],
  bad: ['', 'x', 1, null, [], { 'a b': 'x' }, { amount: 1 }],
  isSecret: true,
};

const part = matching(/^(?=\S)[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u, 'must be 1 to 128 characters on one line', {
  good: ['order-7', '8ac7'],
  bad: ['', ' ', 'x'.repeat(129), 'two\nlines'],
});

const code = matching(/^[0-9]{1,3}(?:\.[0-9]{0,3}){0,2}$/, 'must be a result code or its beginning, such as 800.100', {
  good: ['800.100.153', '800.', '000.100', '8'],
  bad: ['', 'x', '8001', '800.100.153.1', '%'],
});

const endpointName = matching(/^[A-Za-z]{1,40}$/, 'must be the name of an endpoint, such as pay', {
  good: ['pay', 'refer'],
  bad: ['', '/v1/payments', 'x1', 'x'.repeat(41)],
});

const wallet = oneOf(['walletA', 'walletB', 'walletC', 'applePay', 'googlePay', 'samsungPay']);
const word = matching(/^[^\p{C}]{1,128}$/u, 'must be 1 to 128 characters', {
  good: ['05', 'tampered'],
  bad: ['', 'x'.repeat(129), 'two\nlines'],
});
const testNumber: Kind<string> = {
  ...matching(/^[0-9]{8,19}$/, 'must be the number of a test card', { good: ['4200000000000000'], bad: ['', 'x', '4200'] }),
  isSecret: true,
};
const amount = matching(/^[0-9]{1,10}(?:\.[0-9]{2})?$/, 'must be an amount such as 92.00', {
  good: ['92.00', '7'],
  bad: ['', '92,00', '-1.00', '1.5'],
});
const currency = matching(/^[A-Z]{3}$/, 'must be three capitals such as EUR', { good: ['EUR'], bad: ['', 'eur', 'EURO'] });
const language = oneOf(['en', 'de']);

export const developerEndpoints = {
  listCalls: admin('GET', '/admin/v1/calls', 'calls', 'List calls of the API, the newest first.'),
  readCall: admin('GET', '/admin/v1/calls/{id}', 'calls', 'Read a call: request, answer, what it means, and the curl line.'),
  runCall: admin(
    'POST',
    '/admin/v1/calls/{id}/run',
    'calls',
    'Run a call again as its entity; in the test environment only. What was masked has to be filled in.',
  ),
  readInbox: admin('GET', '/admin/v1/inbox', 'calls', 'Read the webhook inbox of an entity; in the test environment only.'),
  openInbox: admin(
    'POST',
    '/admin/v1/inbox',
    'calls',
    'Open a webhook inbox for an entity: a webhook whose messages are kept and shown here. In the test environment only.',
  ),
  changeInbox: admin('POST', '/admin/v1/inbox/{id}', 'calls', 'Choose what the inbox answers to what it gets.'),
  closeInbox: admin('DELETE', '/admin/v1/inbox/{id}', 'calls', 'Remove the inbox with its webhook and what it got.'),
  readInboxMessage: admin(
    'GET',
    '/admin/v1/inbox/{id}/messages/{message}',
    'calls',
    'Read a message of the inbox as it came, and opened.',
  ),
  readDue: admin('GET', '/admin/v1/clock/due', 'clock', 'Read what falls due next by the clock of a merchant.'),
  issueWalletToken: admin(
    'POST',
    '/admin/v1/walletTokens',
    'calls',
    'Make a token of a device wallet; in the test environment only.',
  ),
} as const;

export const developerFields = {
  listCalls: {
    entityId: needed(id, 'Whose calls; those of entities below are listed too.', ENTITY),
    endpoint: free(endpointName, 'Only calls of this endpoint.', 'pay'),
    status: free(oneOf(['2xx', '3xx', '4xx', '5xx']), 'Only answers with such a status.', '4xx'),
    code: free(code, 'Only answers whose result code begins so.', '800.100'),
    text: free(part, "Somewhere in the ids, the ndc or the merchant's reference.", 'order-7'),
    paymentId: free(id, 'Only calls about this payment.'),
    from: free(instant, 'Only calls of this instant or later, by the real time.'),
    to: free(instant, 'Only calls before this instant.'),
    after: free(id, 'Only what is older than this call: the last of the page before.'),
    newer: free(id, 'Only what is younger than this call: to follow.'),
    limit,
  },
  readCall: { language: free(language, 'Of the explanation; English where nothing is said.', 'en') },
  runCall: {
    fields: free(filled, 'Parameters in the place of those that were masked, or of any other.', {
      'card.number': '4200000000000000',
    }),
  },
  readInbox: {
    entityId: needed(id, 'Whose inbox.', ENTITY),
    after: free(id, 'Only messages older than this one: the last of the page before.'),
    limit,
  },
  openInbox: { entityId: needed(id, 'It is told what happens to this entity and to everything below it.', ENTITY) },
  changeInbox: {
    answers: needed(oneOf(['slow', '200', '500']), 'Everything is fine; nothing works; or nobody answers in time.', '500'),
  },
  closeInbox: {},
  readInboxMessage: {},
  readDue: {
    entityId: needed(id, 'The merchant, or one of his channels.', ENTITY),
    count: free(count(1, 20), 'How many instants at most; 5 where nothing is said.', 5),
  },
  issueWalletToken: {
    entityId: needed(id, 'The channel that will be paid.', ENTITY),
    wallet: needed(wallet, 'The wallet.', 'walletA'),
    version: free(word, 'The version of its tokens; the usual one where nothing is said.'),
    number: free(testNumber, 'One of the test cards.', '4200000000000000'),
    amount: free(amount, 'What will be paid.', '92.00'),
    currency: free(currency, 'In which currency.', 'EUR'),
    fault: free(word, 'What is to be wrong with it.', 'tampered'),
  },
} as const;

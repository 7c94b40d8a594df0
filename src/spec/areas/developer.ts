import { isRecord } from '../../runtime/json.ts';
import {
  admin,
  cardNumber,
  count,
  duration,
  ENTITY,
  flag,
  id,
  instant,
  type Kind,
  limit,
  matching,
  oneOf,
  optional,
  required,
  scenarioObject,
  tagged,
  token,
} from '../admin/kinds.ts';
import { SEED_MAX } from '../scenarios/shape.ts';

/** Fields that replace masked ones: by the names of the API. They are used and never shown. */
const FILLED_MAX = 50;
const FILLED_LENGTH_MAX = 4_096;
const isFilled = (value: unknown): value is Readonly<Record<string, string>> =>
  isRecord(value) &&
  Object.keys(value).length <= FILLED_MAX &&
  Object.entries(value).every(
    ([name, text]) => /^[\w.[\]-]{1,128}$/.test(name) && typeof text === 'string' && text.length <= FILLED_LENGTH_MAX,
  );

const filled: Kind<Readonly<Record<string, string>>> = {
  message: `must be a JSON object of at most ${FILLED_MAX} parameters and their texts`,
  schema: { type: 'object', maxProperties: FILLED_MAX, additionalProperties: { type: 'string', maxLength: FILLED_LENGTH_MAX } },
  parse: (value) => (isFilled(value) ? value : undefined),
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
const amount = token(/^[0-9]{1,10}(?:\.[0-9]{2})?$/, 'must be an amount such as 92.00', {
  good: ['92.00', '7'],
  bad: ['', '92,00', '-1.00', '1.5'],
});
const currency = matching(/^[A-Z]{3}$/, 'must be three capitals such as EUR', { good: ['EUR'], bad: ['', 'eur', 'EURO'] });
const language = oneOf(['en', 'de']);

export const developerEndpoints = {
  ...tagged('developerTools', {
    listCalls: admin('GET', '/admin/v1/calls', 'calls', 'List API calls, newest first.'),
    readCall: admin('GET', '/admin/v1/calls/{id}', 'calls', 'Read a call: request, reply, explanation and curl command.'),
    runCall: admin(
      'POST',
      '/admin/v1/calls/{id}/run',
      'calls',
      'Run a call again as its entity; masked values must be filled in. Test environment only.',
    ),
    readInbox: admin('GET', '/admin/v1/inbox', 'calls', 'Read the webhook inbox of an entity. Test environment only.'),
    openInbox: admin(
      'POST',
      '/admin/v1/inbox',
      'calls',
      'Open a webhook inbox for an entity: a webhook whose payloads are stored and shown here. Test environment only.',
    ),
    changeInbox: admin('POST', '/admin/v1/inbox/{id}', 'calls', 'Choose the answer of the inbox.'),
    closeInbox: admin('DELETE', '/admin/v1/inbox/{id}', 'calls', 'Delete the inbox, its webhook and its payloads.'),
    readInboxMessage: admin(
      'GET',
      '/admin/v1/inbox/{id}/messages/{message}',
      'calls',
      'Read a payload of the inbox, as received and decrypted.',
    ),
  }),
  ...tagged('testClock', {
    readDue: admin('GET', '/admin/v1/clock/due', 'clock', 'Read what is due next by the test clock of a merchant.'),
  }),
  ...tagged('developerTools', {
    issueWalletToken: admin(
      'POST',
      '/admin/v1/walletTokens',
      'calls',
      'Create a token of a device wallet. Test environment only.',
    ),
  }),
} as const;

export const developerFields = {
  listCalls: {
    entityId: required(id, 'The entity; calls of entities below it are included.', ENTITY),
    endpoint: optional(endpointName, 'Only calls of this endpoint.', 'pay'),
    status: optional(oneOf(['2xx', '3xx', '4xx', '5xx']), 'Only replies with this status class.', '4xx'),
    code: optional(code, 'Only replies whose result code begins with this.', '800.100'),
    text: optional(part, "Search in ids, ndc and the merchant's reference.", 'order-7'),
    paymentId: optional(id, 'Only calls about this payment.'),
    from: optional(instant, 'Only calls at or after this instant, real time.'),
    to: optional(instant, 'Only calls before this instant.'),
    after: optional(id, 'Only calls older than this one: the last of the previous page.'),
    newer: optional(id, 'Only calls newer than this one, for polling.'),
    limit,
  },
  readCall: { language: optional(language, 'Language of the explanation; default English.', 'en') },
  runCall: {
    fields: optional(filled, 'Parameters that replace the masked ones, or any others.', {
      'card.number': '4200000000000000',
    }),
  },
  readInbox: {
    entityId: required(id, 'The entity.', ENTITY),
    after: optional(id, 'Only payloads older than this one: the last of the previous page.'),
    limit,
  },
  openInbox: { entityId: required(id, 'The webhook receives events of this entity and of all entities below it.', ENTITY) },
  changeInbox: {
    answers: required(oneOf(['slow', '200', '500']), 'Success, 500 error, or time out.', '500'),
  },
  closeInbox: {},
  readInboxMessage: {},
  readDue: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    count: optional(count(1, 20), 'Maximum number of instants; default 5.', 5),
  },
  issueWalletToken: {
    entityId: required(id, 'The channel of the payment.', ENTITY),
    wallet: required(wallet, 'The wallet.', 'walletA'),
    version: optional(word, 'The token version; default: the usual one.'),
    number: optional(testNumber, 'One of the test cards.', '4200000000000000'),
    amount: optional(amount, 'The amount.', '92.00'),
    currency: optional(currency, 'The currency.', 'EUR'),
    fault: optional(word, 'An error to plant.', 'tampered'),
  },
} as const;

/** The time of a merchant in the test environment. */
export const clockEndpoints = tagged('testClock', {
  readClock: admin('GET', '/admin/v1/clock', 'clock', 'Read the test clock of a merchant. Test environment only.'),
  moveClock: admin(
    'POST',
    '/admin/v1/clock',
    'clock',
    'Freeze the test clock of a merchant, move it forward, or return to real time. Everything that is due in between is done. Test environment only.',
  ),
});

export const clockFields = {
  readClock: { entityId: required(id, 'The merchant, or one of its channels.', ENTITY) },
  moveClock: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    freeze: optional(flag, 'Stop the clock, also during a move.'),
    to: optional(instant, 'Move forward to this instant.'),
    by: optional(duration, 'Move forward by this duration; months and years follow the calendar in UTC.', 'P1M'),
    real: optional(flag, 'Return to real time.'),
  },
} as const;

const seed = count(0, SEED_MAX);

/** The scenarios that the simulators play. */
export const scenarioEndpoints = tagged('scenarios', {
  listScenarios: admin(
    'GET',
    '/admin/v1/scenarios',
    'scenarios',
    'List the scenarios of an entity and what is attached to it. Test environment only.',
  ),
  putScenario: admin('POST', '/admin/v1/scenarios', 'scenarios', 'Store a scenario; replaces one of the same name.'),
  readScenario: admin('GET', '/admin/v1/scenarios/{scenario}', 'scenarios', 'Read a scenario.'),
  removeScenario: admin(
    'DELETE',
    '/admin/v1/scenarios/{scenario}',
    'scenarios',
    'Delete your own scenario; payments that play it continue.',
  ),
  readScenarioLog: admin(
    'GET',
    '/admin/v1/scenarios/{scenario}/log',
    'scenarios',
    'Read the events of a scenario: one line of JSON each, identical for the same seed.',
  ),
  attachScenario: admin(
    'POST',
    '/admin/v1/scenarios/{scenario}/attach',
    'scenarios',
    'Attach a scenario to an entity or a card: its payments play it without naming it.',
  ),
  detachScenario: admin('POST', '/admin/v1/scenarios/{scenario}/detach', 'scenarios', 'Detach a scenario.'),
  readPlayed: admin('GET', '/admin/v1/scenarios/payments/{payment}', 'scenarios', 'Read the scenario of a payment and its log.'),
});

export const scenarioFields = {
  listScenarios: { entityId: required(id, 'The entity.', ENTITY) },
  putScenario: {
    entityId: required(id, 'Available to this entity and all entities below it.', ENTITY),
    scenario: required(scenarioObject, 'The scenario.'),
  },
  readScenario: { entityId: required(id, 'An entity that can play it.', ENTITY) },
  removeScenario: { entityId: required(id, 'The entity that stores it.', ENTITY) },
  readScenarioLog: {
    entityId: required(id, 'An entity that can play it.', ENTITY),
    seed: optional(seed, 'The seed; default: the seed of the scenario.', 7),
  },
  attachScenario: {
    entityId: required(id, 'The entity whose payments play it, and those below it.', ENTITY),
    card: optional(cardNumber, 'Only payments by this card. The number is not stored.'),
    seed: optional(seed, 'The seed; default: the seed of the scenario.', 7),
  },
  detachScenario: {
    entityId: required(id, 'The entity it is attached to.', ENTITY),
    card: optional(cardNumber, 'The card, if it is attached to one.'),
  },
  readPlayed: { entityId: required(id, 'The entity that took the payment.', ENTITY) },
} as const;

import { type AdminEndpointName, fieldsOf, takesFile } from '../admin/admin.ts';
import { PAGE_MAX } from '../admin/field.ts';
import { id, key } from '../admin/kinds.ts';
import type { AdminAnswer } from '../answers/adminAnswers.ts';
import type { SeenClock, SeenScenarios } from '../answers/developer.ts';
import type { Balances, FileCounts, SettlementLine, SettlementShown, UnsettledPayment } from '../answers/settlement.ts';
import type { DeliveryCounts, DeliveryShown, WebhookShown, WebhookTested } from '../answers/webhooks.ts';
import { endpoints } from '../endpoints.ts';
import { SCENARIO_NAME, scenarioShape } from '../scenarios/shape.ts';
import type { Json, JsonObject } from './schemas.ts';

/** The administration API in the OpenAPI document. */

const places: Readonly<Record<string, string>> = {
  id: 'The object.',
  delivery: 'The delivery.',
  scenario: 'The name of the scenario.',
  payment: 'The payment.',
};
const scenarioName = { type: 'string', pattern: SCENARIO_NAME.source };

/** The places of the path, and the fields of a request without a body. */
export function adminParameters(name: AdminEndpointName): readonly Json[] {
  const { path, method } = endpoints[name];
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, place = '']) => ({
    name: place,
    in: 'path',
    required: true,
    description: places[place] ?? '',
    schema: place === 'scenario' ? scenarioName : id.schema,
  }));
  if (method === 'POST' && !takesFile(name)) return inPath;
  const inQuery = Object.entries(fieldsOf(name)).map(([field, { isRequired, description, kind, example }]) => ({
    name: field,
    in: 'query',
    required: isRequired,
    description,
    schema: kind.schema,
    example: example as Json,
  }));
  return [...inPath, ...inQuery];
}

/** Fields that exclude the one in the example. */
const unshown: Readonly<Partial<Record<AdminEndpointName, readonly string[]>>> = { moveClock: ['freeze', 'to', 'real'] };

/** The JSON object that a POST carries. */
export function adminBody(name: AdminEndpointName): JsonObject {
  if (takesFile(name))
    return { required: true, content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } };
  const fields = Object.entries(fieldsOf(name));
  const required = fields.flatMap(([field, { isRequired }]) => (isRequired ? [field] : []));
  const properties = fields.map(([field, { description, kind, isSecret }]): [string, Json] => [
    field,
    { ...kind.schema, description, ...(isSecret && { writeOnly: true, 'x-secrecy': 'never' }) },
  ]);
  const example = fields.flatMap(([field, one]) =>
    one.isSecret || field === 'ids' || unshown[name]?.includes(field) ? [] : [[field, one.example as Json] as const],
  );
  return {
    required: required.length > 0,
    content: {
      'application/json': {
        schema: { type: 'object', properties: Object.fromEntries(properties), required, additionalProperties: false },
        ...(required.length > 0 && { example: Object.fromEntries(example) }),
      },
    },
  };
}

/** What is answered where a schema says more than that it is an object. */
const answers: Readonly<Partial<Record<AdminEndpointName, string>>> = {
  listWebhooks: 'Webhooks',
  createWebhook: 'WebhookWithKey',
  readWebhook: 'WebhookWithCounts',
  changeWebhook: 'Webhook',
  removeWebhook: 'WebhookRemoved',
  testWebhook: 'WebhookTested',
  rotateWebhookKey: 'WebhookWithKey',
  switchOffWebhook: 'Webhook',
  listDeliveries: 'Deliveries',
  readDelivery: 'DeliveryWithBody',
  resendDeliveries: 'Resent',
  readClock: 'Clock',
  moveClock: 'ClockMoved',
  listScenarios: 'Scenarios',
  putScenario: 'ScenarioShown',
  readScenario: 'ScenarioShown',
  removeScenario: 'ScenarioRemoved',
  readScenarioLog: 'ScenarioLog',
  attachScenario: 'ScenarioAttached',
  detachScenario: 'ScenarioAttached',
  readPlayed: 'Played',
  readBalances: 'Balances',
  bringSettlement: 'SettlementBrought',
  listSettlements: 'Settlements',
  readSettlement: 'Settlement',
  listExceptions: 'SettlementLines',
  resolveException: 'SettlementLine',
  listUnsettled: 'Unsettled',
};

/** The name of the schema of what is answered. */
export const adminAnswerOf = (name: AdminEndpointName): string => answers[name] ?? 'AdminAnswer';

const text = { type: 'string' } as const;
const maybeText = { type: ['string', 'null'] } as const;
const instant = { type: 'string', format: 'date-time' } as const;
const maybeInstant = { type: ['string', 'null'], format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
const status = { type: ['integer', 'null'], description: 'Null when there was no answer.' };
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

/** The properties of an answer. A name that the type of the answer does not have does not compile. */
type PropertiesOf<Answer extends object> = { readonly [Name in keyof Answer]?: Json };

/** An object whose listed properties are always there; others may follow. */
const objectOf = <Answer extends object>(properties: PropertiesOf<Answer>): JsonObject => ({
  type: 'object',
  properties: properties as JsonObject,
  required: Object.keys(properties),
});
const extended = <Answer extends object>(name: string, properties: PropertiesOf<Answer>): JsonObject => ({
  allOf: [ref(name), objectOf<Answer>(properties)],
});

const { name: _name, url: _url, entityId: _entityId, key: _key, ...chosen } = fieldsOf('createWebhook');

const webhook = objectOf<WebhookShown>({
  id: id.schema,
  entityId: id.schema,
  name: text,
  url: text,
  ...Object.fromEntries(Object.entries(chosen).map(([field, { kind, description }]) => [field, { ...kind.schema, description }])),
  state: {
    type: 'string',
    enum: ['unproven', 'active', 'paused', 'off'],
    description: 'unproven: never tested; paused: it failed too long, or has another address; off: by its owner, or it said 410.',
  },
  why: { ...maybeText, description: 'Why it is paused or off.' },
  failingSince: maybeInstant,
  keys: {
    type: 'array',
    items: objectOf<WebhookShown['keys'][number]>({ id: id.schema, createdAt: instant, until: maybeInstant }),
    maxItems: 2,
  },
  createdAt: instant,
  changedAt: instant,
});

const delivery = objectOf<DeliveryShown>({
  id: id.schema,
  eventId: { ...id.schema, description: 'The webhook-id of every try.' },
  type: text,
  action: maybeText,
  code: ref('ResultCode'),
  transactionId: id.schema,
  entityId: id.schema,
  state: { type: 'string', enum: ['due', 'delivered', 'dead'] },
  happenedAt: instant,
  createdAt: instant,
  nextTryAt: maybeInstant,
  endedAt: maybeInstant,
  tries: { type: 'array', items: objectOf<DeliveryShown['tries'][number]>({ at: instant, status, ms: whole, why: maybeText }) },
});

const settlementFile: PropertiesOf<SettlementShown> = {
  id: id.schema,
  entityId: id.schema,
  name: text,
  format: text,
  digest: { ...text, description: 'SHA-256 of the bytes: the same file is taken once.' },
  state: { type: 'string', enum: ['kept', 'refused', 'reading'] },
  lines: whole,
  faults: {
    type: 'array',
    items: objectOf<SettlementShown['faults'][number]>({ line: whole, message: text }),
    description: 'The first of them, in a file that was refused.',
  },
  faultCount: whole,
  createdAt: instant,
};
const settlementCount = {
  ...objectOf<FileCounts>({ MATCHED: whole, MULTIPLE_MATCHES: whole, NOT_MATCHED: whole, open: whole }),
  type: ['object', 'null'],
};
const settlementLine = objectOf<SettlementLine>({
  id: id.schema,
  fileId: id.schema,
  line: whole,
  recordType: text,
  transactionType: text,
  settledOn: text,
  amount: text,
  currency: text,
  settledAmount: text,
  settledCurrency: text,
  match: objectOf<SettlementLine['match']>({
    status: text,
    paymentIds: { type: 'array', items: text },
    by: text,
    why: text,
    isOpen: { type: 'boolean' },
  }),
  chargebackId: maybeText,
});
const settlementSchemas: JsonObject = {
  Settlement: objectOf<AdminAnswer<'readSettlement'>>({ ...settlementFile, count: settlementCount }),
  SettlementBrought: objectOf<AdminAnswer<'bringSettlement'>>({
    is: {
      type: 'string',
      enum: ['kept', 'known'],
      description: 'known: the same bytes were brought before, and nothing has changed.',
    },
    ...settlementFile,
    count: settlementCount,
  }),
  Settlements: objectOf<AdminAnswer<'listSettlements'>>({
    settlements: { type: 'array', items: objectOf<SettlementShown>(settlementFile) },
  }),
  SettlementLine: settlementLine,
  SettlementLines: objectOf<AdminAnswer<'listExceptions'>>({
    exceptions: { type: 'array', items: ref('SettlementLine') },
    next: maybeText,
  }),
  Unsettled: objectOf<AdminAnswer<'listUnsettled'>>({
    payments: {
      type: 'array',
      items: objectOf<UnsettledPayment>({ id: id.schema, paymentType: text, amount: text, currency: text, createdAt: instant }),
    },
    next: maybeText,
  }),
};

const flag = { type: 'boolean' } as const;
const clock = objectOf<SeenClock>({
  merchantId: { ...id.schema, description: 'Whose clock it is.' },
  now: instant,
  isFrozen: flag,
  isReal: flag,
  isMoving: { ...flag, description: 'It is on its way to its target, from one due instant to the next.' },
  target: maybeInstant,
});
const DID = 'How often payments, schedules and deliveries were worked on during this move so far.';

const scenarioLog = { ...text, description: 'One line of JSON per event, with times in ms since the event that the line names.' };
const scenarioAttached = objectOf<SeenScenarios['attached']>({
  channel: { ...maybeText, description: 'What every payment plays; null: nothing.' },
  cards: { type: 'array', items: text, description: 'What is played by cards, one for each card.' },
});

const sum = { type: 'string', pattern: '^-?[0-9]+\\.[0-9]{2}$' } as const;
const ACCOUNTS =
  'What is owed to the account, or owed by it where it is negative; in a mode and a currency they add up to nothing. shopper: asked for and not decided. reserve: may be captured. contra: stands against these two. merchant: still to be received. acquirer: still to be paid by it. fees: kept by it. chargebacks: taken back by banks.';

/** What the administration API answers with. */
export const adminSchemas = (): JsonObject => ({
  AdminAnswer: { type: 'object', description: 'The requested data, as the back office shows it.' },
  Webhook: webhook,
  Webhooks: objectOf<AdminAnswer<'listWebhooks'>>({ webhooks: { type: 'array', items: ref('Webhook') } }),
  WebhookWithKey: extended<AdminAnswer<'createWebhook'>>('Webhook', {
    key: { ...key.schema, description: 'Shown here once.' },
  }),
  WebhookWithCounts: extended<AdminAnswer<'readWebhook'>>('Webhook', {
    deliveries: objectOf<DeliveryCounts>({ due: whole, delivered: whole, dead: whole }),
  }),
  WebhookTested: extended<WebhookTested>('Webhook', {
    test: objectOf<WebhookTested['test']>({ delivered: { type: 'boolean' }, status, ms: whole, why: maybeText }),
  }),
  WebhookRemoved: objectOf<AdminAnswer<'removeWebhook'>>({ id: id.schema, removed: { type: 'boolean' } }),
  Delivery: delivery,
  Deliveries: objectOf<AdminAnswer<'listDeliveries'>>({
    deliveries: { type: 'array', items: ref('Delivery'), maxItems: PAGE_MAX },
    next: { ...maybeText, description: 'What to send as `after` for the next page; null when there is none.' },
  }),
  DeliveryWithBody: extended<AdminAnswer<'readDelivery'>>('Delivery', {
    body: { type: ['object', 'null'], description: 'Null when what it is about is gone.' },
  }),
  Resent: objectOf<AdminAnswer<'resendDeliveries'>>({ count: whole }),
  Clock: clock,
  ClockMoved: {
    allOf: [
      ref('Clock'),
      {
        type: 'object',
        properties: {
          did: {
            ...objectOf<NonNullable<SeenClock['did']>>({ payments: whole, runs: whole, deliveries: whole }),
            description: DID,
          },
        },
      },
    ],
  },
  Scenario: scenarioShape.schema,
  ScenarioShown: objectOf<AdminAnswer<'readScenario'>>({ isReady: flag, scenario: ref('Scenario') }),
  Scenarios: objectOf<AdminAnswer<'listScenarios'>>({
    scenarios: {
      type: 'array',
      items: objectOf<SeenScenarios['scenarios'][number]>({
        name: scenarioName,
        says: text,
        isReady: { ...flag, description: 'False: your own scenario.' },
        with: { ...maybeText, description: 'What a ready one is tried with: a card, a bank, or 3D Secure.' },
        ends: {
          type: ['array', 'null'],
          items: ref('ResultCode'),
          description: 'The result of each attempt of a built-in scenario.',
        },
      }),
    },
    attached: scenarioAttached,
  }),
  ScenarioRemoved: objectOf<AdminAnswer<'removeScenario'>>({ name: scenarioName, removed: flag }),
  ScenarioAttached: objectOf<AdminAnswer<'attachScenario'>>({ attached: scenarioAttached }),
  ScenarioLog: objectOf<AdminAnswer<'readScenarioLog'>>({ name: scenarioName, seed: whole, log: scenarioLog }),
  Played: objectOf<AdminAnswer<'readPlayed'>>({
    id: id.schema,
    name: scenarioName,
    seed: whole,
    attempt: { ...whole, description: 'Which attempt of the scenario this payment is, from 1.' },
    acts: { type: 'object', description: 'The events of the scenario as drawn by the seed.' },
    code: ref('ResultCode'),
    isOpen: flag,
    log: scenarioLog,
  }),
  Balances: objectOf<AdminAnswer<'readBalances'>>({
    merchantId: id.schema,
    at: instant,
    balances: {
      type: 'array',
      items: objectOf<Balances['balances'][number]>({
        mode: { type: 'string', enum: ['INTERNAL', 'EXTERNAL', 'LIVE'] },
        currency: text,
        accounts: {
          ...objectOf<Balances['balances'][number]['accounts']>({
            shopper: sum,
            reserve: sum,
            contra: sum,
            merchant: sum,
            acquirer: sum,
            fees: sum,
            chargebacks: sum,
          }),
          description: ACCOUNTS,
        },
      }),
    },
  }),
  ...settlementSchemas,
  Refusal: objectOf<Record<string, unknown>>({
    result: {
      type: 'object',
      properties: {
        code: ref('ResultCode'),
        description: text,
        parameterErrors: {
          type: 'array',
          items: objectOf<Record<string, unknown>>({ name: text, value: maybeText, message: text }),
        },
      },
      required: ['code', 'description'],
    },
    buildNumber: text,
    timestamp: text,
    ndc: text,
  }),
});

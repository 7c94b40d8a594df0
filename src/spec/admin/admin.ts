import { accountFields } from '../areas/account.ts';
import { auditFields } from '../areas/audit.ts';
import { developerFields } from '../areas/developer.ts';
import { paymentFields } from '../areas/payments.ts';
import { reportFields } from '../areas/reports.ts';
import { riskFields } from '../areas/risk.ts';
import { statisticsFields } from '../areas/statistics.ts';
import { storedFields } from '../areas/stored.ts';
import { peopleFields } from '../areas/users.ts';
import { type AdminAccess, adminAccess, type EndpointName, endpoints } from '../endpoints.ts';
import { cardNumber, scenarioObject } from '../scenarios/adminKinds.ts';
import { SEED_MAX } from '../scenarios/shape.ts';
import { type AdminField, type AdminFieldTable, ENTITY, free, needed, PAGE_MAX } from './field.ts';
import { count, duration, fileName, id, ids, instant, key, name, oneOf, someOf, webAddress, wish } from './kinds.ts';

/** The endpoints that are administered by, and those by which people come to that: all of them take JSON. */
export type AdminEndpointName = WithAccess<AdminAccess>;

type WithAccess<Access> = {
  [Name in EndpointName]: (typeof endpoints)[Name]['access'] extends Access ? Name : never;
}[EndpointName];

/** Those that ask for a right, those for whoever has signed in, and those for who is about to. */
export type RightEndpointName = WithAccess<'admin'>;
export type SessionEndpointName = WithAccess<'session'>;
export type SignInEndpointName = WithAccess<'signIn'>;

const types = someOf(['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK']);
const fields = oneOf(['ALL', 'NON_CUSTOMER_DATA']);
const wrapper = oneOf(['NONE', 'JSON']);
const state = oneOf(['due', 'delivered', 'dead']);
const seed = count(0, SEED_MAX);

/** How much longer the key before is good, in hours: as long as anything is tried again, at most. */
export const UNTIL_HOURS_MAX = 720;
export const RESENT_MAX = 1_000;

const about = {
  types: 'Event types; default all.',
  fields: 'Content of a payload: all fields of the reply (ALL, default), or no customer data.',
  wrapper: 'Form of the encrypted body: plain (NONE, default), or as encryptedBody of a JSON object.',
  key: 'A key that the receiver already knows; default: generated.',
  from: 'Only events at or after this instant.',
  to: 'Only events before this instant.',
} as const;

/** What each request may carry. The checker, the OpenAPI file, the reference and the generated negatives read this table. */
export const adminFields = {
  listWebhooks: {
    entityId: needed(id, 'The entity.', ENTITY),
    below: free(wish, 'Include the webhooks of all entities below it.'),
  },
  createWebhook: {
    entityId: needed(id, 'The webhook receives events of this entity and of all entities below it.', ENTITY),
    name: needed(name, 'A display name.'),
    url: needed(webAddress, 'The URL. In live: https, port 443 or 80, a public address.'),
    types: free(types, about.types),
    fields: free(fields, about.fields),
    wrapper: free(wrapper, about.wrapper),
    key: free(key, about.key),
  },
  readWebhook: {},
  changeWebhook: {
    name: free(name, 'A display name.'),
    url: free(webAddress, 'A new URL. Nothing is sent to it before a successful test delivery; events wait meanwhile.'),
    types: free(types, 'Event types.'),
    fields: free(fields, 'Content of a payload.'),
    wrapper: free(wrapper, 'Form of the encrypted body.'),
  },
  removeWebhook: {},
  testWebhook: {},
  rotateWebhookKey: {
    untilHours: free(count(0, UNTIL_HOURS_MAX), 'Hours during which the previous key also signs; default 24.', 24),
    key: free(key, about.key),
  },
  switchOffWebhook: {},
  listDeliveries: {
    state: free(state, 'due: pending or waiting for the next attempt; dead: given up.', 'dead'),
    from: free(instant, about.from),
    to: free(instant, about.to),
    after: free(id, 'Only deliveries older than this one: the last of the previous page.'),
    limit: free(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readDelivery: {},
  resendDeliveries: {
    ids: free(ids(RESENT_MAX), 'The deliveries, in any state.'),
    state: free(state, 'Only deliveries in this state.', 'dead'),
    from: free(instant, about.from),
    to: free(instant, about.to),
    failed: free(wish, 'All undelivered ones: dead, and waiting for the next attempt.'),
  },
  readClock: { entityId: needed(id, 'The merchant, or one of its channels.', ENTITY) },
  moveClock: {
    entityId: needed(id, 'The merchant, or one of its channels.', ENTITY),
    freeze: free(wish, 'Stop the clock, also during a move.'),
    to: free(instant, 'Move forward to this instant.'),
    by: free(duration, 'Move forward by this duration; months and years follow the calendar in UTC.', 'P1M'),
    real: free(wish, 'Return to real time.'),
  },
  listScenarios: { entityId: needed(id, 'The entity.', ENTITY) },
  putScenario: {
    entityId: needed(id, 'Available to this entity and all entities below it.', ENTITY),
    scenario: needed(scenarioObject, 'The scenario.'),
  },
  readScenario: { entityId: needed(id, 'An entity that can play it.', ENTITY) },
  removeScenario: { entityId: needed(id, 'The entity that stores it.', ENTITY) },
  readScenarioLog: {
    entityId: needed(id, 'An entity that can play it.', ENTITY),
    seed: free(seed, 'The seed; default: the seed of the scenario.', 7),
  },
  attachScenario: {
    entityId: needed(id, 'The entity whose payments play it, and those below it.', ENTITY),
    card: free(cardNumber, 'Only payments by this card. The number is not stored.'),
    seed: free(seed, 'The seed; default: the seed of the scenario.', 7),
  },
  detachScenario: {
    entityId: needed(id, 'The entity it is attached to.', ENTITY),
    card: free(cardNumber, 'The card, if it is attached to one.'),
  },
  readBalances: {
    entityId: needed(id, 'The merchant.', ENTITY),
    at: free(instant, 'Balances at this instant, inclusive; default now.'),
  },
  bringSettlement: {
    entityId: needed(id, 'The importing entity: lines are matched with its payments and those of entities below it.', ENTITY),
    name: free(fileName, 'A display name of the file.'),
  },
  listSettlements: {
    entityId: needed(id, 'The entity; files of entities below it are included.', ENTITY),
    limit: free(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readSettlement: {},
  listExceptions: {
    entityId: needed(id, 'The entity; exceptions of entities below it are included.', ENTITY),
    status: free(oneOf(['NOT_MATCHED', 'MULTIPLE_MATCHES']), 'Only this status.'),
    after: free(id, 'Only exceptions after this one: the last of the previous page.'),
    limit: free(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  resolveException: {
    paymentId: free(id, 'Match it with this payment.'),
    leave: free(wish, 'Dismiss it: not ours, or no action needed.'),
    note: needed(name, 'The reason.', 'seen in the portal of the acquirer'),
  },
  listUnsettled: {
    entityId: needed(id, 'The merchant, or one of its channels.', ENTITY),
    from: free(instant, 'Only payments created at or after this instant; default 45 days ago.'),
    to: free(instant, 'Only payments created before this instant; default three days ago.'),
    after: free(id, 'Only payments newer than this one: the last of the previous page.'),
    limit: free(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readPlayed: { entityId: needed(id, 'The entity that took the payment.', ENTITY) },
  ...accountFields,
  ...developerFields,
  ...paymentFields,
  ...peopleFields,
  ...riskFields,
  ...storedFields,
  ...statisticsFields,
  ...auditFields,
  ...reportFields,
} as const satisfies Readonly<Record<AdminEndpointName, AdminFieldTable>>;

/** Those whose request names an entity. */
export type EntityEndpointName = {
  [Name in RightEndpointName]: 'entityId' extends keyof (typeof adminFields)[Name] ? Name : never;
}[RightEndpointName];

type ValueOf<Field> = Field extends AdminField<infer Value> ? Value : never;
type NeededIn<Table> = { [Name in keyof Table]: Table[Name] extends AdminField<unknown, true> ? Name : never }[keyof Table];

/** A request as it is meant: what is needed is there, the rest may be. */
export type AdminValues<Name extends AdminEndpointName> = {
  readonly [Field in NeededIn<(typeof adminFields)[Name]>]: ValueOf<(typeof adminFields)[Name][Field]>;
} & {
  readonly [Field in Exclude<keyof (typeof adminFields)[Name], NeededIn<(typeof adminFields)[Name]>>]?: ValueOf<
    (typeof adminFields)[Name][Field]
  >;
};

export const isAdmin = (endpoint: EndpointName): endpoint is AdminEndpointName =>
  adminAccess.some((access) => access === endpoints[endpoint].access);

/** Whether the body of an endpoint is a file, with the fields beside it in the query. */
export const takesFile = (endpoint: AdminEndpointName): boolean => 'takes' in endpoints[endpoint];

/** The fields of an endpoint by name. */
export const fieldsOf = (endpoint: AdminEndpointName): AdminFieldTable => adminFields[endpoint];

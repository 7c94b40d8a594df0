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
export type SignInEndpointName = WithAccess<'door'>;

const types = someOf(['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK']);
const fields = oneOf(['ALL', 'NON_CUSTOMER_DATA']);
const wrapper = oneOf(['NONE', 'JSON']);
const state = oneOf(['due', 'delivered', 'dead']);
const seed = count(0, SEED_MAX);

/** How much longer the key before is good, in hours: as long as anything is tried again, at most. */
export const UNTIL_HOURS_MAX = 720;
export const RESENT_MAX = 1_000;

const about = {
  types: 'What it is told of; everything where nothing is said.',
  fields: 'What is told of a payment: all that its answer shows, or nothing about the customer. ALL where nothing is said.',
  wrapper: 'How the encrypted body travels: bare, or as encryptedBody of a JSON object. NONE where nothing is said.',
  key: 'A key that the receiver knows already; otherwise one is made.',
  from: 'Only what happened at this instant or later.',
  to: 'Only what happened before this instant.',
} as const;

/** What each request may carry. The checker, the OpenAPI file, the reference and the generated negatives read this table. */
export const adminFields = {
  listWebhooks: {
    entityId: needed(id, 'Whose webhooks are listed.', ENTITY),
    below: free(wish, 'And those of everything below it.'),
  },
  createWebhook: {
    entityId: needed(id, 'It is told what happens to this entity and to everything below it.', ENTITY),
    name: needed(name, 'For people.'),
    url: needed(webAddress, 'Where it is. In live https, on port 443 or 80, and nowhere inside.'),
    types: free(types, about.types),
    fields: free(fields, about.fields),
    wrapper: free(wrapper, about.wrapper),
    key: free(key, about.key),
  },
  readWebhook: {},
  changeWebhook: {
    name: free(name, 'For people.'),
    url: free(
      webAddress,
      'Another address: nothing is sent to it until it has answered a test delivery; what happens meanwhile waits.',
    ),
    types: free(types, 'What it is told of.'),
    fields: free(fields, 'What is told of a payment.'),
    wrapper: free(wrapper, 'How the encrypted body travels.'),
  },
  removeWebhook: {},
  testWebhook: {},
  rotateWebhookKey: {
    untilHours: free(count(0, UNTIL_HOURS_MAX), 'How many hours longer the key before also signs; 24 where nothing is said.', 24),
    key: free(key, about.key),
  },
  switchOffWebhook: {},
  listDeliveries: {
    state: free(state, 'due: on its way or waiting for its next try; dead: given up.', 'dead'),
    from: free(instant, about.from),
    to: free(instant, about.to),
    after: free(id, 'Only what is older than this delivery: the last of the page before.'),
    limit: free(count(1, PAGE_MAX), 'How many at most; 50 where nothing is said.', 50),
  },
  readDelivery: {},
  resendDeliveries: {
    ids: free(ids(RESENT_MAX), 'These, whatever became of them.'),
    state: free(state, 'Only what is in this state.', 'dead'),
    from: free(instant, about.from),
    to: free(instant, about.to),
    failed: free(wish, 'Everything that was not delivered: what was given up, and what waits for its next try.'),
  },
  readClock: { entityId: needed(id, 'The merchant, or one of his channels.', ENTITY) },
  moveClock: {
    entityId: needed(id, 'The merchant, or one of his channels.', ENTITY),
    freeze: free(wish, 'It stands still from now on; where it is being moved, it goes no further.'),
    to: free(instant, 'It goes forward to this instant.'),
    by: free(duration, 'It goes forward by this much, months and years by the calendar in UTC.', 'P1M'),
    real: free(wish, 'It shows real time again.'),
  },
  listScenarios: { entityId: needed(id, 'Whose scenarios are listed.', ENTITY) },
  putScenario: {
    entityId: needed(id, 'It can be played by this entity and everything below it.', ENTITY),
    scenario: needed(scenarioObject, 'The scenario.'),
  },
  readScenario: { entityId: needed(id, 'Who can play it.', ENTITY) },
  removeScenario: { entityId: needed(id, 'Whose it is.', ENTITY) },
  readScenarioLog: {
    entityId: needed(id, 'Who can play it.', ENTITY),
    seed: free(seed, "The seed; the scenario's own where nothing is said.", 7),
  },
  attachScenario: {
    entityId: needed(id, 'Whose payments play it: a channel, or everything below the entity.', ENTITY),
    card: free(cardNumber, 'Only payments by this card. The number is not kept.'),
    seed: free(seed, "The seed; the scenario's own where nothing is said.", 7),
  },
  detachScenario: {
    entityId: needed(id, 'Whose payments played it.', ENTITY),
    card: free(cardNumber, 'The card, where it was attached to one.'),
  },
  readBalances: {
    entityId: needed(id, 'The merchant.', ENTITY),
    at: free(instant, 'What stood there at this instant, the instant included; now where nothing is said.'),
  },
  bringSettlement: {
    entityId: needed(id, 'Who brings it: lines are matched with payments of this entity and of what is below it.', ENTITY),
    name: free(fileName, 'The name of the file, for people.'),
  },
  listSettlements: {
    entityId: needed(id, 'Who brought them; files of those below are listed too.', ENTITY),
    limit: free(count(1, PAGE_MAX), 'How many at most; 50 where nothing is said.', 50),
  },
  readSettlement: {},
  listExceptions: {
    entityId: needed(id, 'Who brought the files; those of files of those below are listed too.', ENTITY),
    status: free(oneOf(['NOT_MATCHED', 'MULTIPLE_MATCHES']), 'Only these.'),
    after: free(id, 'Only what stands behind this line: the last of the page before.'),
    limit: free(count(1, PAGE_MAX), 'How many at most; 50 where nothing is said.', 50),
  },
  resolveException: {
    paymentId: free(id, 'It is about this payment.'),
    leave: free(wish, 'It is about none of yours, or needs nothing.'),
    note: needed(name, 'Why, for whoever looks at it later.', 'seen in the portal of the acquirer'),
  },
  listUnsettled: {
    entityId: needed(id, 'The merchant, or one of his channels.', ENTITY),
    from: free(instant, 'Only payments begun at this instant or later; 45 days ago where nothing is said.'),
    to: free(instant, 'Only payments begun before this instant; three days ago where nothing is said.'),
    after: free(id, 'Only what is younger than this payment: the last of the page before.'),
    limit: free(count(1, PAGE_MAX), 'How many at most; 50 where nothing is said.', 50),
  },
  readPlayed: { entityId: needed(id, 'Who took the payment.', ENTITY) },
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

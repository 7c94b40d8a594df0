import { isRecord } from '../../runtime/json.ts';
import { accountFields, routingFields } from '../areas/account.ts';
import { developerFields } from '../areas/developer.ts';
import { paymentFields } from '../areas/payments.ts';
import { reportFields, statisticsFields } from '../areas/reports.ts';
import { riskFields } from '../areas/risk.ts';
import { storedFields } from '../areas/stored.ts';
import { auditFields, userFields } from '../areas/users.ts';
import { type AdminAccess, adminAccess, type Endpoint, type EndpointName, endpoints } from '../endpoints.ts';
import { SEED_MAX } from '../scenarios/shape.ts';
import {
  type AdminField,
  type AdminFieldTable,
  cardNumber,
  count,
  duration,
  ENTITY,
  fileName,
  flag,
  id,
  ids,
  instant,
  type Kind,
  key,
  name,
  oneOf,
  optional,
  PAGE_MAX,
  required,
  scenarioObject,
  someOf,
  webAddress,
} from './kinds.ts';

/** The endpoints of the administration API, sign-in included. All of them take JSON. */
export type AdminEndpointName = WithAccess<AdminAccess>;

type WithAccess<Access> = {
  [Name in EndpointName]: (typeof endpoints)[Name]['access'] extends Access ? Name : never;
}[EndpointName];

/** Endpoints that need a right, a session only, or nothing because they are the sign-in. */
export type RightEndpointName = WithAccess<'admin'>;
export type SessionEndpointName = WithAccess<'session'>;
export type SignInEndpointName = WithAccess<'signIn'>;

const types = someOf(['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK']);
const fields = oneOf(['ALL', 'NON_CUSTOMER_DATA']);
const wrapper = oneOf(['NONE', 'JSON']);
const state = oneOf(['due', 'delivered', 'dead']);
const seed = count(0, SEED_MAX);

const DECISIONS_MAX = 200;

/** A decision about an exception: the payment to match it with, or none to dismiss it. */
type ExceptionDecision = { readonly id: string; readonly paymentId?: string };

const isDecision = (value: unknown): value is ExceptionDecision =>
  isRecord(value) &&
  Object.keys(value).every((field) => field === 'id' || field === 'paymentId') &&
  id.parse(value.id) !== undefined &&
  (value.paymentId === undefined || id.parse(value.paymentId) !== undefined);

const decisions: Kind<readonly ExceptionDecision[]> = {
  message: `must be a list of 1 to ${DECISIONS_MAX} {id, paymentId}, each id once; paymentId may be left out`,
  schema: {
    type: 'array',
    minItems: 1,
    maxItems: DECISIONS_MAX,
    items: { type: 'object', required: ['id'], properties: { id: id.schema, paymentId: id.schema } },
  },
  parse: (value) => {
    if (!Array.isArray(value) || value.length === 0 || value.length > DECISIONS_MAX || !value.every(isDecision)) return undefined;
    return new Set(value.map((one) => one.id)).size === value.length ? value : undefined;
  },
  good: [[{ id: ENTITY }], [{ id: ENTITY, paymentId: ENTITY }]],
  bad: [[], '', null, [7], [{}], [{ id: 'x' }], [{ id: ENTITY, more: 1 }], [{ id: ENTITY }, { id: ENTITY }]],
};

/** How much longer the key before is good, in hours: as long as anything is tried again, at most. */
const UNTIL_HOURS_MAX = 720;
const RESENT_MAX = 1_000;

const about = {
  types: 'Event types; default all.',
  fields: 'Content of a payload: all fields of the reply (ALL, default), or no customer data.',
  wrapper: 'Form of the encrypted body: plain (NONE, default), or as encryptedBody of a JSON object.',
  key: 'A key that the receiver already knows; default: generated.',
  from: 'Only events at or after this instant.',
  to: 'Only events before this instant.',
} as const;

/** The fields of each request. The checker, the OpenAPI file, the reference and the generated negatives read this table. */
export const adminFields = {
  listWebhooks: {
    entityId: required(id, 'The entity.', ENTITY),
    below: optional(flag, 'Include the webhooks of all entities below it.'),
  },
  createWebhook: {
    entityId: required(id, 'The webhook receives events of this entity and of all entities below it.', ENTITY),
    name: required(name, 'A display name.'),
    url: required(webAddress, 'The URL. In live: https, port 443 or 80, a public address.'),
    types: optional(types, about.types),
    fields: optional(fields, about.fields),
    wrapper: optional(wrapper, about.wrapper),
    key: optional(key, about.key),
  },
  readWebhook: {},
  changeWebhook: {
    name: optional(name, 'A display name.'),
    url: optional(webAddress, 'A new URL. Nothing is sent to it before a successful test delivery; events wait meanwhile.'),
    types: optional(types, 'Event types.'),
    fields: optional(fields, 'Content of a payload.'),
    wrapper: optional(wrapper, 'Form of the encrypted body.'),
  },
  removeWebhook: {},
  testWebhook: {},
  rotateWebhookKey: {
    untilHours: optional(count(0, UNTIL_HOURS_MAX), 'Hours during which the previous key also signs; default 24.', 24),
    key: optional(key, about.key),
  },
  switchOffWebhook: {},
  listDeliveries: {
    state: optional(state, 'due: pending or waiting for the next attempt; dead: given up.', 'dead'),
    from: optional(instant, about.from),
    to: optional(instant, about.to),
    after: optional(id, 'Only deliveries older than this one: the last of the previous page.'),
    limit: optional(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readDelivery: {},
  resendDeliveries: {
    ids: optional(ids(RESENT_MAX), 'The deliveries, in any state.'),
    state: optional(state, 'Only deliveries in this state.', 'dead'),
    from: optional(instant, about.from),
    to: optional(instant, about.to),
    failed: optional(flag, 'All undelivered ones: dead, and waiting for the next attempt.'),
  },
  readClock: { entityId: required(id, 'The merchant, or one of its channels.', ENTITY) },
  moveClock: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    freeze: optional(flag, 'Stop the clock, also during a move.'),
    to: optional(instant, 'Move forward to this instant.'),
    by: optional(duration, 'Move forward by this duration; months and years follow the calendar in UTC.', 'P1M'),
    real: optional(flag, 'Return to real time.'),
  },
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
  readBalances: {
    entityId: required(id, 'The merchant.', ENTITY),
    at: optional(instant, 'Balances at this instant, inclusive; default now.'),
  },
  bringSettlement: {
    entityId: required(id, 'The importing entity: lines are matched with its payments and those of entities below it.', ENTITY),
    name: optional(fileName, 'A display name of the file.'),
  },
  listSettlements: {
    entityId: required(id, 'The entity; files of entities below it are included.', ENTITY),
    limit: optional(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readSettlement: {},
  listExceptions: {
    entityId: required(id, 'The entity; exceptions of entities below it are included.', ENTITY),
    status: optional(oneOf(['NOT_MATCHED', 'MULTIPLE_MATCHES']), 'Only this status.'),
    after: optional(id, 'Only exceptions after this one: the last of the previous page.'),
    limit: optional(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  resolveException: {
    paymentId: optional(id, 'Match it with this payment.'),
    leave: optional(flag, 'Dismiss it: not ours, or no action needed.'),
    note: required(name, 'The reason.', 'seen in the portal of the acquirer'),
  },
  resolveExceptions: {
    entityId: required(id, 'The entity; exceptions of entities below it are included.', ENTITY),
    decisions: required(decisions, 'Up to 200 exceptions, each with the payment to match it with; without one it is dismissed.'),
    note: required(name, 'The reason.', 'the acquirer sent the file twice'),
  },
  listUnsettled: {
    entityId: required(id, 'The merchant, or one of its channels.', ENTITY),
    from: optional(instant, 'Only payments created at or after this instant; default 45 days ago.'),
    to: optional(instant, 'Only payments created before this instant; default three days ago.'),
    after: optional(id, 'Only payments newer than this one: the last of the previous page.'),
    limit: optional(count(1, PAGE_MAX), 'Page size; default 50.', 50),
  },
  readPlayed: { entityId: required(id, 'The entity that took the payment.', ENTITY) },
  ...accountFields,
  ...developerFields,
  ...paymentFields,
  ...userFields,
  ...riskFields,
  ...routingFields,
  ...storedFields,
  ...statisticsFields,
  ...auditFields,
  ...reportFields,
} as const satisfies Readonly<Record<AdminEndpointName, AdminFieldTable>>;

/** The endpoints with a field `entityId`. */
export type EntityEndpointName = {
  [Name in RightEndpointName]: 'entityId' extends keyof (typeof adminFields)[Name] ? Name : never;
}[RightEndpointName];

type ValueOf<Field> = Field extends AdminField<infer Value> ? Value : never;
type NeededIn<Table> = { [Name in keyof Table]: Table[Name] extends AdminField<unknown, true> ? Name : never }[keyof Table];

/** The checked fields of a request: required ones are always there. */
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
export const takesFile = (endpoint: AdminEndpointName): boolean => (endpoints[endpoint] as Endpoint).takes === 'file';

/** The fields of an endpoint by name. */
export const fieldsOf = (endpoint: AdminEndpointName): AdminFieldTable => adminFields[endpoint];

/** A request to the administration API, as the back office and the command line send it. */

/** A value on the wire: an instant is decoded to a number and sent as text. */
type Sent<Value> = Value extends number ? number | string : Value;

/** The fields that a request may carry. */
export type AdminRequestValues<Name extends AdminEndpointName> = {
  readonly [Field in keyof AdminValues<Name>]: Sent<AdminValues<Name>[Field]>;
};

/** The values of the braces in a path. */
export type PathParameters = Readonly<Record<string, string>>;

/** Fields without a value are not sent. */
const present = (values: object): readonly (readonly [string, unknown])[] =>
  Object.entries(values).filter(([, value]) => value !== undefined && value !== '');

/** The path of an endpoint with its parameters filled in. With `values`, they follow as a query. */
export function adminPath(name: AdminEndpointName, parameters: PathParameters = {}, values: object = {}): string {
  const path = endpoints[name].path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(parameters[place] ?? ''));
  const query = new URLSearchParams(
    present(values).map(([field, value]) => [field, Array.isArray(value) ? value.join(',') : String(value)]),
  );
  return query.size === 0 ? path : `${path}?${query}`;
}

/** The body of a request as JSON. */
export const adminJson = (values: object): string => JSON.stringify(Object.fromEntries(present(values)));

/** Whether an endpoint takes its fields as a JSON body; the others take them in the query. */
export const hasJsonBody = (name: AdminEndpointName): boolean =>
  endpoints[name].method === 'POST' && (endpoints[name] as Endpoint).takes === undefined;

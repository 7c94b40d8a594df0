import { count, id, ids, instant, type Kind, key, name, oneOf, someOf, webAddress, wish } from './adminKinds.ts';
import { type EndpointName, endpoints } from './endpoints.ts';

/** One field of a request of the administration API: in the JSON body of a POST, in the query of anything else. */
export type AdminField<Value = unknown, IsNeeded extends boolean = boolean> = {
  readonly isNeeded: IsNeeded;
  /** What it is for, as a sentence. */
  readonly says: string;
  readonly fits: Kind<Value>;
  readonly example: unknown;
  /** Never shown, not even in the fault about it. */
  readonly isSecret: boolean;
};

type Fields = Readonly<Record<string, AdminField>>;

/** The endpoints that are administered by. */
export type AdminEndpointName = {
  [Name in EndpointName]: (typeof endpoints)[Name]['access'] extends 'admin' ? Name : never;
}[EndpointName];

const needed = <Value>(fits: Kind<Value>, says: string, example: unknown = fits.good[0]): AdminField<Value, true> => ({
  isNeeded: true,
  says,
  fits,
  example,
  isSecret: fits === key,
});

const free = <Value>(fits: Kind<Value>, says: string, example: unknown = fits.good[0]): AdminField<Value, false> => ({
  ...needed(fits, says, example),
  isNeeded: false,
});

const ENTITY = '8ac7a4c9d0e1b2f38ac7a4c9d0e1b2f3';
const types = someOf(['PAYMENT', 'REGISTRATION', 'SCHEDULE', 'RISK']);
const fields = oneOf(['ALL', 'NON_CUSTOMER_DATA']);
const wrapper = oneOf(['NONE', 'JSON']);
const state = oneOf(['due', 'delivered', 'dead']);

/** How much longer the key before is good, in hours: as long as anything is tried again, at most. */
export const UNTIL_HOURS_MAX = 720;
export const PAGE_MAX = 200;
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
  listWebhooks: { entityId: needed(id, 'Whose webhooks are listed.', ENTITY) },
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
} as const satisfies Readonly<Record<AdminEndpointName, Fields>>;

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

export const isAdmin = (endpoint: EndpointName): endpoint is AdminEndpointName => endpoints[endpoint].access === 'admin';

/** The fields of an endpoint by name. */
export const fieldsOf = (endpoint: AdminEndpointName): Fields => adminFields[endpoint];

import { accountFields, routingFields } from '../areas/account.ts';
import { clockFields, developerFields, scenarioFields } from '../areas/developer.ts';
import { paymentFields } from '../areas/payments.ts';
import { reportFields, settlementFields, statisticsFields } from '../areas/reports.ts';
import { riskFields } from '../areas/risk.ts';
import { storedFields } from '../areas/stored.ts';
import { auditFields, userFields } from '../areas/users.ts';
import { webhookFields } from '../areas/webhooks.ts';
import { type AdminAccess, adminAccess, type Endpoint, type EndpointName, endpoints } from '../endpoints.ts';
import type { AdminField, AdminFieldTable } from './kinds.ts';

/** The endpoints of the administration API, sign-in included. All of them take JSON. */
export type AdminEndpointName = WithAccess<AdminAccess>;

type WithAccess<Access> = {
  [Name in EndpointName]: (typeof endpoints)[Name]['access'] extends Access ? Name : never;
}[EndpointName];

/** Endpoints that need a right, a session only, or nothing because they are the sign-in. */
export type RightEndpointName = WithAccess<'admin'>;
export type SessionEndpointName = WithAccess<'session'>;
export type SignInEndpointName = WithAccess<'signIn'>;

/** The fields of each request. The checker, the OpenAPI file, the reference and the generated negatives read this table. */
export const adminFields = {
  ...webhookFields,
  ...clockFields,
  ...scenarioFields,
  ...settlementFields,
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

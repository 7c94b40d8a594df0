import { type Endpoint, endpoints } from '../endpoints.ts';
import type { AdminEndpointName, AdminValues } from './admin.ts';

/**
 * A request to the administration API, as the back office and the command line send it. The first page of the back office loads it, so it
 * imports only types of the fields.
 */

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

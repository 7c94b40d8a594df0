import type { AdminEndpointName, AdminValues } from '../../spec/admin/admin.ts';
import { endpoints } from '../../spec/endpoints.ts';
import type { Answers } from './answers.ts';
import { problemOf, unreached } from './problem.ts';
import { watch } from './session.ts';
import { askForStepUp } from './stepUp.ts';

/** A value as it travels: an instant is read as a number and written as text. */
type Sent<Value> = Value extends number ? number | string : Value;

/** What a request carries. */
export type Values<Name extends AdminEndpointName> = {
  readonly [Field in keyof AdminValues<Name>]: Sent<AdminValues<Name>[Field]>;
};

/** What stands in the braces of a path. */
export type Places = Readonly<Record<string, string>>;

export type AnswerOf<Name extends AdminEndpointName> = Name extends keyof Answers ? Answers[Name] : unknown;

export type ApiRequest<Name extends AdminEndpointName> = {
  readonly name: Name;
  readonly values?: Partial<Values<Name>>;
  readonly places?: Places;
  /** The body, where the endpoint takes a file. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
  /** Nobody has done anything: the page asks by itself, and the session does not live longer for it. */
  readonly isByItself?: boolean;
};

const filled = (path: string, places: Places): string =>
  path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(places[place] ?? ''));

/** Fields that have nothing in them are not sent. */
const present = (values: object): readonly (readonly [string, unknown])[] =>
  Object.entries(values).filter(([, value]) => value !== undefined && value !== '');

const queryOf = (values: object): string => {
  const query = new URLSearchParams(
    present(values).map(([field, value]) => [field, Array.isArray(value) ? value.join(',') : String(value)]),
  );
  return query.size === 0 ? '' : `?${query}`;
};

/** Where an endpoint is, with what is asked of it by a GET: for links and downloads. */
export function addressOf<Name extends AdminEndpointName>(
  name: Name,
  values: Partial<Values<Name>>,
  places: Places = {},
): string {
  return filled(endpoints[name].path, places) + queryOf(values);
}

function requestOf<Name extends AdminEndpointName>({
  name,
  values = {},
  places = {},
  file,
  signal,
  isByItself,
}: ApiRequest<Name>) {
  const { method, path } = endpoints[name];
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['X-Turnpike-Csrf'] = watch.csrf();
  if (isByItself) headers['X-Turnpike-Quiet'] = 'yes';
  const hasBody = method === 'POST' && file === undefined;
  if (hasBody) headers['Content-Type'] = 'application/json';
  if (file) headers['Content-Type'] = 'application/octet-stream';
  const body = hasBody ? JSON.stringify(Object.fromEntries(present(values))) : (file ?? null);
  const url = filled(path, places) + (hasBody ? '' : queryOf(values));
  return new Request(url, { method, headers, body, signal: signal ?? null, credentials: 'same-origin' });
}

/** Asks an endpoint; throws a Problem. Where somebody must show again that it is he, he is asked, and the request is repeated. */
export async function ask<Name extends AdminEndpointName>(
  name: Name,
  values?: Partial<Values<Name>>,
  places?: Places,
  more: Pick<ApiRequest<Name>, 'file' | 'signal' | 'isByItself'> = {},
): Promise<AnswerOf<Name>> {
  const asked: ApiRequest<Name> = { name, ...(values && { values }), ...(places && { places }), ...more };
  const response = await fetch(requestOf(asked)).catch((error: Error) => {
    throw error.name === 'AbortError' ? error : unreached();
  });
  if (response.ok) {
    if (!more.isByItself) watch.seen();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return (isJson ? await response.json() : await response.text()) as AnswerOf<Name>;
  }
  const problem = await problemOf(response);
  if (problem.needs === 'stepUp' && (await askForStepUp())) return ask(name, values, places, more);
  if (problem.status === 401 && endpoints[name].access !== 'door') watch.lost();
  throw problem;
}

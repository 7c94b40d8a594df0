import { useSyncExternalStore } from 'react';
import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type AdminRequestValues, adminJson, adminPath, hasJsonBody, type PathParameters } from '../../spec/admin/request.ts';
import type { AdminAnswer } from '../../spec/answers/adminAnswers.ts';
import { type Endpoint, endpoints } from '../../spec/endpoints.ts';
import type { shellTexts } from '../texts/shell.ts';
import { askForStepUp, sessionWatch } from './session.ts';

export type Values<Name extends AdminEndpointName> = AdminRequestValues<Name>;
export type Places = PathParameters;
export type AnswerOf<Name extends AdminEndpointName> = AdminAnswer<Name>;

type ApiRequest<Name extends AdminEndpointName> = {
  readonly name: Name;
  readonly values?: Partial<Values<Name>>;
  readonly places?: Places;
  /** The body, where the endpoint takes a file. */
  readonly file?: Blob;
  readonly signal?: AbortSignal;
  /** An automatic refresh, which does not extend the session. */
  readonly isByItself?: boolean;
  /** Needs a step-up, although the endpoint does not always. */
  readonly isSensitive?: boolean;
};

/** The address of an endpoint with its query, for links and downloads. */
export function addressOf<Name extends AdminEndpointName>(
  name: Name,
  values: Partial<Values<Name>>,
  places: Places = {},
): string {
  return adminPath(name, places, values);
}

function requestOf<Name extends AdminEndpointName>({
  name,
  values = {},
  places = {},
  file,
  signal,
  isByItself,
}: ApiRequest<Name>) {
  const { method } = endpoints[name];
  const headers: Record<string, string> = {};
  if (method !== 'GET') headers['X-Turnpike-Csrf'] = sessionWatch.csrf();
  if (isByItself) headers['X-Turnpike-Quiet'] = 'yes';
  const hasBody = hasJsonBody(name);
  if (hasBody) headers['Content-Type'] = 'application/json';
  if (file) headers['Content-Type'] = 'application/octet-stream';
  const body = hasBody ? adminJson(values) : (file ?? null);
  const url = adminPath(name, places, hasBody ? {} : values);
  return new Request(url, { method, headers, body, signal: signal ?? null, credentials: 'same-origin' });
}

/** Asks for a step-up before a request that would be refused without one: the audit log has no refusal of a user who then confirms. */
async function stepUpFirst(name: AdminEndpointName, isSensitive: boolean): Promise<void> {
  const { stepUp = false } = endpoints[name] as Endpoint;
  if ((stepUp || isSensitive) && sessionWatch.needsStepUp() && !(await askForStepUp())) throw unconfirmed();
}

/** Calls an endpoint; throws a Problem. Where a step-up is needed, asks the user for it first. */
export async function callApi<Name extends AdminEndpointName>(
  name: Name,
  values?: Partial<Values<Name>>,
  places?: Places,
  more: Pick<ApiRequest<Name>, 'file' | 'signal' | 'isByItself' | 'isSensitive'> = {},
): Promise<AnswerOf<Name>> {
  await stepUpFirst(name, more.isSensitive ?? false);
  const asked: ApiRequest<Name> = { name, ...(values && { values }), ...(places && { places }), ...more };
  const response = await fetch(requestOf(asked)).catch((error: Error) => {
    throw error.name === 'AbortError' ? error : unreached();
  });
  if (response.ok) {
    dataAges.note(name, response.headers.get('x-turnpike-data-age'));
    if (!more.isByItself) sessionWatch.seen();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return (isJson ? await response.json() : await response.text()) as AnswerOf<Name>;
  }
  const problem = await problemOf(response);
  if (problem.needs === 'stepUp' && (await askForStepUp())) return callApi(name, values, places, more);
  if (problem.status === 401 && endpoints[name].access !== 'signIn') sessionWatch.lost();
  throw problem;
}

/** The age of the last answer of each endpoint in seconds; only of answers that came from a replica of the database. */
function createDataAges() {
  const ages = new Map<AdminEndpointName, number>();
  const listeners = new Set<() => void>();
  return {
    /** Notes the header of an answer; null: all of it came from the primary. */
    note(name: AdminEndpointName, header: string | null): void {
      const seconds = header === null ? Number.NaN : Number(header);
      if (Number.isFinite(seconds)) ages.set(name, seconds);
      else ages.delete(name);
      for (const listener of listeners) listener();
    },
    of: (name: AdminEndpointName): number | null => ages.get(name) ?? null,
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const dataAges = createDataAges();

/** The age of the last answer of an endpoint; null: it is up to date. */
export const useDataAge = (name: AdminEndpointName | null): number | null =>
  useSyncExternalStore(dataAges.subscribe, () => (name === null ? null : dataAges.of(name)));

/** The reason why a request failed. */
export class Problem extends Error {
  /** 0: no response. */
  readonly status: number;
  readonly code: string | null;
  /** The faults by field; several faults of one field are one string. */
  readonly faults: Readonly<Record<string, string>>;
  /** The condition to meet first, such as `stepUp`. */
  readonly needs: string | null;

  constructor(about: Pick<Problem, 'status' | 'code' | 'faults' | 'needs'> & { readonly description: string }) {
    super(about.description);
    this.status = about.status;
    this.code = about.code;
    this.faults = about.faults;
    this.needs = about.needs;
  }
}

type Refusal = {
  readonly result?: {
    readonly code?: string;
    readonly description?: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
};

const refusalIn = (text: string): Refusal => {
  try {
    return JSON.parse(text) as Refusal;
  } catch {
    return {};
  }
};

/** The problem of an error reply. */
export async function problemOf(response: Response): Promise<Problem> {
  const { result } = refusalIn(await response.text());
  const byName = Map.groupBy(result?.parameterErrors ?? [], ({ name }) => name);
  const faults = [...byName].map(([name, own]) => [name, own.map(({ message }) => message).join('; ')] as const);
  return new Problem({
    status: response.status,
    code: result?.code ?? null,
    description: result?.description ?? response.statusText,
    faults: Object.fromEntries(faults),
    needs: response.headers.get('x-turnpike-needs'),
  });
}

/** No response: the network or the gateway is down. */
export const unreached = (): Problem => new Problem({ status: 0, code: null, description: '', faults: {}, needs: null });

/** The user did not confirm the identity: nothing was sent. */
const unconfirmed = (): Problem => new Problem({ status: 403, code: null, description: '', faults: {}, needs: 'stepUp' });

export const isProblem = (error: unknown): error is Problem => error instanceof Problem;

type Words = (typeof shellTexts)['en'];

/** The problem and its remedy in a sentence or two. */
export function problemText({ status, code, message, faults, needs }: Problem, t: Words): string {
  if (status === 0) return t.unreached;
  if (needs === 'stepUp') return t.unconfirmed;
  if (status === 429) return t.tooOften;
  if (status >= 500) return t.failed;
  if (status === 404) return t.notThere;
  const [first] = Object.entries(faults);
  if (first) return t.fault(first[0], first[1]);
  if (status === 403 && code === '800.900.300') return t.notAllowed;
  return message === '' ? t.failed : message;
}

import { request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';
import { OperatorError } from '../app/operatorError.ts';
import { urlOf } from '../app/process/banner.ts';
import { sandbox } from '../merchants/sandbox.ts';
import { parsedJson } from '../runtime/json.ts';
import type { AdminEndpointName, AdminValues } from '../spec/admin/admin.ts';
import { adminJson, adminPath, hasJsonBody, type PathParameters } from '../spec/admin/request.ts';
import type { AdminAnswer } from '../spec/answers/adminAnswers.ts';
import { endpoints } from '../spec/endpoints.ts';
import { type Context, UsageError } from './command.ts';

/** The options by which a command finds a running gateway; without them it is the sandbox of this machine. */
export const gatewayOptions = ['url', 'entity', 'token', 'token-file'] as const;

export const gatewayUsage: readonly string[] = [
  '  --url address      the gateway; without it that of this machine, at PORT or 8080',
  '  --entity id        the demo shop of the sandbox without it',
  "  --token text       an access token, or the operator's in live; that of the demo shop without it",
  '  --token-file path  the same from a file',
];

type Texts = Readonly<Partial<Record<(typeof gatewayOptions)[number], string>>>;

/** A client of a running gateway, with an access token. */
export type GatewayClient = {
  readonly url: string;
  readonly entityId: string;
  /** Calls the administration API. Any status but 200 is an OperatorError. The gateway checks the values of the fields. */
  call<Name extends AdminEndpointName>(name: Name, request?: CallRequest<Name>): Promise<AdminAnswer<Name>>;
};

type CallRequest<Name extends AdminEndpointName> = {
  readonly values?: { readonly [Field in keyof AdminValues<Name>]?: unknown };
  readonly parameters?: PathParameters;
};

const ANSWER_MS_MAX = 40_000;

/** Without a configuration the gateway is at its default port. */
type GatewayNeeds = Pick<Context, 'readText'> & Partial<Pick<Context, 'config'>>;

export function createGatewayClient(texts: Texts, { readText, config }: GatewayNeeds): GatewayClient {
  const url = (texts.url ?? (config ? localUrl(config()) : 'http://127.0.0.1:8080')).replace(/\/+$/, '');
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url))
    throw new UsageError('--url: give an address such as http://127.0.0.1:8080');
  if (texts.token !== undefined && texts['token-file'] !== undefined) throw new UsageError('give either --token or --token-file');
  const token =
    texts['token-file'] === undefined ? (texts.token ?? sandbox.demoShop.token) : tokenIn(texts['token-file'], readText);
  // A line break would end the header.
  if (!/^[\x21-\x7e]+$/.test(token)) throw new UsageError('--token: this is no token');
  return {
    url,
    entityId: texts.entity ?? sandbox.demoShop.merchantId,
    async call(name, { values = {}, parameters = {} } = {}) {
      const { method } = endpoints[name];
      const text = hasJsonBody(name) ? adminJson(values) : '';
      const path = adminPath(name, parameters, text === '' ? values : {});
      const answered = await exchange(url + path, { method, token, text });
      if (answered.status === 200) return answered.json as never;
      throw new OperatorError(complaintOf(answered));
    },
  };
}

/** The gateway that this environment starts. */
const localUrl = (config: ReturnType<Context['config']>): string =>
  urlOf({ ...config, host: config.host === '0.0.0.0' || config.host === '::' ? '127.0.0.1' : config.host }, config.port);

function tokenIn(path: string, readText: Context['readText']): string {
  try {
    return readText(path).trim();
  } catch {
    throw new OperatorError(`--token-file: ${JSON.stringify(path)} cannot be read`);
  }
}

type Sent = { readonly method: string; readonly token: string; readonly text: string };
type Answered = { readonly status: number; readonly json: unknown };

function exchange(url: string, { method, token, text }: Sent): Promise<Answered> {
  const headers = {
    Authorization: `Bearer ${token}`,
    ...(text !== '' && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
  };
  const start = url.startsWith('https:') ? startSecure : startPlain;
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => reject(new OperatorError(`--url: ${silence(url, error)}`));
    const request = start(url, { method, headers, agent: false, signal: AbortSignal.timeout(ANSWER_MS_MAX) }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', fail);
      response.on('end', () => {
        const json = parsedJson(Buffer.concat(chunks).toString('utf8'));
        if (json === null) reject(new OperatorError(`--url: what answers at ${new URL(url).origin} is no Turnpike`));
        else resolve({ status: response.statusCode ?? 0, json });
      });
    });
    request.on('error', fail);
    request.end(text);
  });
}

function silence(url: string, { code, name }: NodeJS.ErrnoException): string {
  const { origin } = new URL(url);
  if (name === 'AbortError' || name === 'TimeoutError') return `${origin} gave no answer within ${ANSWER_MS_MAX / 1_000} seconds`;
  return `no server answers at ${origin} (${code ?? name}); npm start starts the gateway`;
}

type Refusal = {
  readonly result?: {
    readonly description?: string;
    readonly parameterErrors?: readonly { readonly name: string; readonly message: string }[];
  };
};

function complaintOf({ status, json }: Answered): string {
  const { description = `answered ${status}`, parameterErrors = [] } = (json as Refusal).result ?? {};
  if (status === 401 || status === 403) {
    return "--token: the gateway does not take this token; in live only the operator's (ADMIN_TOKEN) opens this";
  }
  if (parameterErrors.length > 0) return parameterErrors.map(({ name, message }) => `${name} ${message}`).join('\n');
  return `the gateway says: ${description}`;
}

import { request as startPlain } from 'node:http';
import { request as startSecure } from 'node:https';
import { sandbox } from '../merchants/sandbox.ts';
import { type Context, OperatorError, UsageError } from './command.ts';

/** The options by which a command finds a running gateway; without them it is the sandbox of this machine. */
export const gatewayOptions = ['url', 'entity', 'token', 'token-file'] as const;

export const gatewayUsage: readonly string[] = [
  '  --url address      the gateway; http://127.0.0.1:8080 without it',
  '  --entity id        the demo shop of the sandbox without it',
  "  --token text       an access token, or the operator's in live; that of the demo shop without it",
  '  --token-file path  the same from a file',
];

type Texts = Readonly<Partial<Record<(typeof gatewayOptions)[number], string>>>;

/** A running gateway, as somebody with a token meets it. */
export type GatewayClient = {
  readonly url: string;
  readonly entityId: string;
  /** Asks the administration API and answers what it says; anything but a 200 is an error for the operator. */
  ask<Answer>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<Answer>;
};

const ANSWER_MS_MAX = 40_000;

export function gatewayOf(texts: Texts, { readText }: Pick<Context, 'readText'>): GatewayClient {
  const url = (texts.url ?? 'http://127.0.0.1:8080').replace(/\/+$/, '');
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
    async ask(method, path, body) {
      const answered = await exchange(`${url}/admin/v1${path}`, { method, token, body });
      if (answered.status === 200) return answered.json as never;
      throw new OperatorError(complaintOf(answered));
    },
  };
}

function tokenIn(path: string, readText: Context['readText']): string {
  try {
    return readText(path).trim();
  } catch {
    throw new OperatorError(`--token-file: ${JSON.stringify(path)} cannot be read`);
  }
}

type Asked = { readonly method: string; readonly token: string; readonly body: object | undefined };
type Answered = { readonly status: number; readonly json: unknown };

function exchange(url: string, { method, token, body }: Asked): Promise<Answered> {
  const text = body === undefined ? '' : JSON.stringify(body);
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
        const json = parsed(Buffer.concat(chunks).toString('utf8'));
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
  return `nobody answers at ${origin} (${code ?? name}); npm start starts the gateway`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
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

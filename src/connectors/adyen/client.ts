import type { AcquirerAnswer } from '../../payments/ports.ts';
import { parsedRecord } from '../../runtime/json.ts';
import type { StepRow } from '../kind.ts';
import type { AccountNeeds, ExchangeResult } from '../ports.ts';
import { errorRow } from './codes.ts';
import type { AdyenSettings } from './settings.ts';

const MODIFICATIONS = ['captures', 'refunds', 'cancels', 'reversals', 'amountUpdates'];

/** Every request may book: Adyen has no step before the one that authorises. */
export const steps = {
  pay: { request: 'POST /payments', books: true },
  details: { request: 'POST /payments/details', books: true },
  modify: {
    request: `POST ${MODIFICATIONS.map((name) => `/payments/{pspReference}/${name}`).join(', ')}`,
    books: true,
  },
  cancel: { request: 'POST /cancels', books: true },
} as const satisfies Readonly<Record<string, StepRow>>;

type StepName = keyof typeof steps;

/** The outcome of a request to Adyen. Only `unknown` leaves it open whether anything was booked. */
export type AdyenReply =
  | { readonly is: 'ok'; readonly body: Readonly<Record<string, unknown>> }
  /** Adyen looked at the request and refused it. */
  | { readonly is: 'refused'; readonly status: number; readonly errorCode: string; readonly message: string }
  /** Nothing reached the issuer. */
  | { readonly is: 'tooMany' | 'unreachable' }
  | { readonly is: 'unknown' };

type AdyenRequest = {
  readonly step: StepName;
  readonly path: string;
  readonly body: object;
  /** At most 64 characters. The same key is never worked on twice. */
  readonly key: string;
};

type AdyenClient = (request: AdyenRequest) => Promise<AdyenReply>;

/** The time of each try and the pause before it: 51 seconds in all, whatever the clock says. */
const TRIES: readonly { readonly pauseMs: number; readonly withinMs: number }[] = [
  { pauseMs: 0, withinMs: 30_000 },
  { pauseMs: 100, withinMs: 12_000 },
  { pauseMs: 1_000, withinMs: 8_000 },
];

/** Another request with the same key is being worked on. */
const IN_PROGRESS = '704';
const REPLY_BYTES_MAX = 512 * 1_024;

type ClientNeeds = Pick<AccountNeeds, 'exchange' | 'sleep'> & {
  readonly url: string;
  apiKey(): Promise<string | null>;
};

/** One try: an end, or a reason for another one. `mayBeBooked`: the request arrived, or may have. */
type Try =
  | { readonly is: 'ended'; readonly reply: AdyenReply }
  | { readonly is: 'open'; readonly mayBeBooked: boolean; readonly otherwise: AdyenReply };

/**
 * Posts to Adyen with an idempotency key, and posts again with the same key while the outcome is open. An error counts only while no
 * earlier try may have arrived: after that only the answer to the request itself does.
 */
export function createClient({ exchange, sleep, url, apiKey }: ClientNeeds): AdyenClient {
  return async ({ step, path, body, key }) => {
    const secret = await apiKey();
    if (secret === null) return { is: 'refused', status: 401, errorCode: '000', message: 'the API key is not set' };
    const headers = { 'content-type': 'application/json', 'x-api-key': secret, 'idempotency-key': key };
    const text = JSON.stringify(body);
    let isDoubtful = false;
    let last: AdyenReply = { is: 'unknown' };
    for (const { pauseMs, withinMs } of TRIES) {
      if (pauseMs > 0) await sleep(pauseMs);
      const result = await exchange({
        method: 'POST',
        url: `${url}${path}`,
        headers,
        body: text,
        books: steps[step].books,
        withinMs,
        answerBytesMax: REPLY_BYTES_MAX,
      });
      const tried = judge(result, isDoubtful);
      if (tried.is === 'ended') return tried.reply;
      isDoubtful ||= tried.mayBeBooked;
      last = tried.otherwise;
    }
    return isDoubtful ? { is: 'unknown' } : last;
  };
}

const DOUBT: Try = { is: 'open', mayBeBooked: true, otherwise: { is: 'unknown' } };

function judge(result: ExchangeResult, isDoubtful: boolean): Try {
  if (result.is !== 'replied') return result.is === 'notSent' ? UNREACHABLE : DOUBT;
  const { status, headers } = result;
  const body = parsedRecord(result.body);
  if (body === null) return status === 429 ? TOO_MANY : DOUBT;
  if (status >= 200 && status < 300) return { is: 'ended', reply: { is: 'ok', body } };
  if (status === 429) return TOO_MANY;
  const error = errorIn(body, status);
  if (error === null || error.errorCode === IN_PROGRESS || status === 409) return DOUBT;
  // No message left for the issuer: the same key may be used again.
  if (headers['transient-error'] === 'true') return UNREACHABLE;
  // A 500 about the configuration was found before anything left; any other may come after it.
  if (status >= 500 && body.errorType !== 'configuration') return { is: 'ended', reply: { is: 'unknown' } };
  // Says something about the credentials of this try alone.
  if ((status === 401 || status === 403) && isDoubtful) return { is: 'ended', reply: { is: 'unknown' } };
  return { is: 'ended', reply: error };
}

const UNREACHABLE: Try = { is: 'open', mayBeBooked: false, otherwise: { is: 'unreachable' } };
const TOO_MANY: Try = { is: 'open', mayBeBooked: false, otherwise: { is: 'tooMany' } };

/** An error of Adyen itself; the error page of a proxy in between looks different. */
function errorIn(
  { status: written, errorCode, message }: Readonly<Record<string, unknown>>,
  status: number,
): Extract<AdyenReply, { is: 'refused' }> | null {
  if (written !== status || typeof errorCode !== 'string') return null;
  return { is: 'refused', status, errorCode, message: typeof message === 'string' ? message.slice(0, 200) : '' };
}

/** The shared context of the connector's parts. */
export type AdyenParts = {
  readonly needs: AccountNeeds;
  readonly settings: AdyenSettings;
  readonly post: AdyenClient;
};

/** No answer that says whether anything was booked: the core inquires later. */
export class NoAnswer extends Error {
  constructor() {
    super('Adyen gave no answer that counts');
    this.name = 'NoAnswer';
  }
}

/** The answer to a request that did not succeed. Throws where the outcome is open. */
export function failureAnswer(reply: Exclude<AdyenReply, { is: 'ok' }>, { alarm }: AccountNeeds): AcquirerAnswer {
  switch (reply.is) {
    case 'unknown':
      throw new NoAnswer();
    case 'unreachable':
      return { is: 'declined', code: '900.100.600', details: {} };
    case 'tooMany':
      return { is: 'declined', code: '800.120.100', details: {} };
    case 'refused': {
      const { errorCode, status, message } = reply;
      const { ours, operator } = errorRow(errorCode);
      if (operator) alarm('Adyen refused a request', { errorCode, status: String(status), message });
      return { is: 'declined', code: ours, details: { resultDetails: { AcquirerResponse: errorCode.slice(0, 16) } } };
    }
  }
}

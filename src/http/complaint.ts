import { STATUS_CODES } from 'node:http';
import { headersOf, type Reply } from './reply.ts';
import type { Responder } from './respond.ts';

/** What the parser says, as a status and a word to the client. Everything else is a request that cannot be read. */
const known: Readonly<Record<string, readonly [status: number, remark: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the head of the request is too long'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request took too long to arrive'],
};

/** The answer to what is no HTTP request, head and all: there is no response object for it. */
export function complaint(respond: Responder, errorCode: string): string {
  const [status, remark] = known[errorCode] ?? [400, 'this is not a request that can be read'];
  const reply: Reply = respond.result('200.300.404', null, { status, remark });
  const pairs = headersOf(reply, true);
  const lines = pairs.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${pairs[at + 1]}`] : []));
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${reply.body}`;
}

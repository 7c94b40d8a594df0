import type { Fault } from '../../form/checked.ts';
import type { Ids } from '../../payments/ports.ts';
import type { Base } from '../../payments/reply/project.ts';
import { instantText } from '../../spec/dates.ts';
import { oneText } from '../../spec/json.ts';
import { type ResultCode, resultCodes } from '../../spec/resultCodes.ts';
import type { Clock } from '../../spec/time.ts';
import { jsonHeaders, type Reply } from './reply.ts';

/** What a reply says beside its code. */
export type Remarks = {
  readonly status?: number;
  readonly headers?: readonly string[];
  readonly faults?: readonly Fault[];
  /** Added to the text of the code, after a dash. */
  readonly remark?: string;
  /** The name of the request, when it has one already. */
  readonly ndc?: string;
  /** For the log only. */
  readonly why?: string;
};

export interface Replies {
  /** A name for this request, for the log: `{entityId}-{32 hex}`, or only the hex when the entity is not known. */
  ndc(entityId: string | null): string;
  /** The fields at the end of every JSON reply. */
  base(ndc: string): Base;
  /** The current time as a header. */
  date(): string;
  /** A reply that is nothing but a result: nothing was stored. */
  result(code: ResultCode, entityId: string | null, remarks?: Remarks): Reply;
  /** A reply with a body of its own. */
  json(status: number, body: object, about?: Partial<Pick<Reply, 'code' | 'ndc' | 'entityId'>>): Reply;
  /** The same with a body that is JSON already. */
  text(status: number, json: string, about?: Partial<Pick<Reply, 'code' | 'ndc' | 'entityId'>>): Reply;
}

/** The current time as text, formatted once a second. */
function createTimestamps(clock: Clock, format: (ms: number) => string): () => string {
  let second = -1;
  let text = '';
  return () => {
    const now = Math.floor(clock.now() / 1000);
    if (now !== second) {
      second = now;
      text = format(now * 1000);
    }
    return text;
  };
}

export function createReplies(world: { readonly clock: Clock; readonly ids: Ids }, buildNumber: string): Replies {
  const timestamp = createTimestamps(world.clock, instantText);
  const date = createTimestamps(world.clock, (ms) => new Date(ms).toUTCString());
  const ndc = (entityId: string | null): string =>
    entityId === null ? world.ids.random() : oneText(entityId, '-', world.ids.random());
  const text: Replies['text'] = (status, body, { code = null, ndc: name = null, entityId = null } = {}) => ({
    status,
    headers: jsonHeaders,
    body,
    code,
    ndc: name,
    entityId,
  });
  const base = (name: string): Base => ({ buildNumber, timestamp: timestamp(), ndc: name });
  return {
    ndc,
    base,
    date,
    result(code, entityId, { status, headers, faults, remark, ...about } = {}) {
      const { text, http } = resultCodes[code];
      const name = about.ndc ?? ndc(entityId);
      const description = remark === undefined ? text : `${text} - ${remark}`;
      const body = JSON.stringify({ result: { code, description, parameterErrors: faults?.map(shown) }, ...base(name) });
      const all = headers === undefined ? jsonHeaders : [...jsonHeaders, ...headers];
      return { status: status ?? http, headers: all, body, code, ndc: name, entityId, why: about.why };
    },
    json: (status, body, about) => text(status, JSON.stringify(body), about),
    text,
  };
}

/** The members of a fault that a reply shows. */
const shown = ({ name, value, message }: Fault): Fault => ({ name, value, message });

import { amountOf, type Body, call, card, codeOf, isApproved, pay, type Reply, refer } from '../faults/client.ts';
import type { FamilyInput, FamilyOperation, FamilyOutput } from './familyModel.ts';

export type Recording = {
  readonly urls: readonly string[];
  readonly families: number;
  /** Requests of each client about its family. */
  readonly requests: number;
  readonly clients: number;
  /** Families at a time. */
  readonly together: number;
  readonly chance: () => number;
};

const AUTHORISED = 10_000;

/** All requests about one family and their answers. */
export type FamilyHistory = { readonly id: string; readonly operations: readonly FamilyOperation[] };

/** Clients ask any node, several of them about one family at the same time. */
export async function recordFamilies(recording: Recording): Promise<readonly FamilyHistory[]> {
  const histories: FamilyHistory[] = [];
  let begun = 0;
  const worker = async () => {
    while (begun < recording.families) {
      begun += 1;
      const history = await recordFamily(recording, `family${begun}`);
      if (history !== null) histories.push(history);
    }
  };
  await Promise.all(Array.from({ length: recording.together }, worker));
  return histories;
}

type Captured = { readonly id: string; readonly tag: string; readonly amount: number };

/** Null when the family was not begun: its first request had no answer. */
async function recordFamily({ urls, requests, clients, chance }: Recording, name: string): Promise<FamilyHistory | null> {
  const operations: FamilyOperation[] = [];
  const captures: Captured[] = [];
  const somewhere = () => urls[Math.floor(chance() * urls.length)] ?? '';
  let sent = 0;
  const tagged = (): string => {
    sent += 1;
    return `${name}-${String(sent).padStart(3, '0')}`;
  };
  const record = async (input: FamilyInput, send: () => Promise<Reply>): Promise<Reply | null> => {
    const calledAt = performance.now();
    const reply = await send().catch(() => null);
    const output = reply && outputOf(input, reply);
    operations.push({ input, output, calledAt, returnedAt: output === null ? Number.POSITIVE_INFINITY : performance.now() });
    return reply;
  };
  const tag = tagged();
  const fields = { paymentType: 'PA', amount: amountOf(AUTHORISED), currency: 'EUR', merchantTransactionId: tag, ...card };
  const first = await record({ kind: 'PA', tag, amount: AUTHORISED }, () => pay(somewhere(), { fields }));
  const id = first?.body?.id;
  if (first === null || id === undefined || !isApproved(first)) return null;
  const sendRead = () =>
    call(somewhere(), { method: 'GET', path: `/v1/query/${id}`, fields: { includeLinkedTransactions: 'true' } });
  const client = async () => {
    for (let at = 0; at < requests; at += 1) {
      const input = pickInput(chance, captures, tagged);
      if (input.kind === 'GET') {
        await record(input, sendRead);
        continue;
      }
      const { kind, amount } = input;
      const on = input.kind === 'RF' ? captures.find((each) => each.tag === input.of)?.id : id;
      const order = { paymentType: kind, amount: amountOf(amount), currency: 'EUR', merchantTransactionId: input.tag };
      const reply = await record(input, () => refer(somewhere(), on ?? '', { fields: order }));
      if (kind === 'CP' && reply !== null && isApproved(reply))
        captures.push({ id: reply.body?.id ?? '', tag: input.tag, amount });
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  await record({ kind: 'GET' }, sendRead);
  return { id, operations };
}

function pickInput(chance: () => number, captures: readonly Captured[], tagged: () => string): FamilyInput {
  const sum = (least: number, most: number) => Math.floor(least + chance() * (most - least));
  const draw = chance();
  if (draw < 0.4) return { kind: 'GET' };
  if (draw < 0.7) return { kind: 'CP', tag: tagged(), amount: sum(300, 4_000) };
  if (draw < 0.85) return { kind: 'RV', tag: tagged(), amount: sum(200, 1_500) };
  const capture = captures[Math.floor(chance() * captures.length)];
  return capture === undefined
    ? { kind: 'GET' }
    : { kind: 'RF', tag: tagged(), of: capture.tag, amount: sum(capture.amount / 4, capture.amount * 1.2) };
}

type Listed = Body & { readonly merchantTransactionId?: string };

/** Null when the answer leaves the outcome open. */
function outputOf({ kind }: FamilyInput, reply: Reply): FamilyOutput | null {
  if (kind === 'GET') {
    const { payments, records } = reply.body ?? {};
    const list = (payments ?? records) as readonly Listed[] | undefined;
    if (reply.status !== 200 || list === undefined) return null;
    const approved = list.filter(({ result }) => result?.code === '000.100.110');
    return { kind: 'read', tags: approved.map(({ merchantTransactionId }) => merchantTransactionId ?? '?').sort() };
  }
  if (isApproved(reply)) return { kind: 'approved' };
  return reply.status === 400 && /^700\.[34]00\./.test(codeOf(reply)) ? { kind: 'refused' } : null;
}

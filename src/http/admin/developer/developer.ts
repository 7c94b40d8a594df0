import type { Call, CallQuery, ShownField } from '../../../developer/ports.ts';
import type { Entity } from '../../../merchants/directory.ts';
import type { Payment } from '../../../payments/payment.ts';
import { isRecord } from '../../../runtime/json.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { CallDetailView, CallsView, CallView, CauseView } from '../../../spec/answers/developer.ts';
import { explainAnswer } from '../../../spec/explain/explain.ts';
import type { ExplainLanguage } from '../../../spec/explain/explainCodes.ts';
import { explainFault } from '../../../spec/explain/explainFaults.ts';
import { maskText } from '../../../spec/masking.ts';
import { isApproval, isResultCode } from '../../../spec/resultCodes.ts';
import type { Handle } from '../../handler.ts';
import type { Services } from '../../services.ts';
import { authorizeEntity, authorizeObject } from '../authorize.ts';
import { query } from '../command.ts';
import { changeInbox, closeInbox, openInbox, readInbox, readInboxMessage } from './inbox.ts';
import { createRunCall, toFill } from './rerun.ts';
import { gatewayAt, issueWalletToken, readDue } from './tools.ts';

/** Test values in the place of masked ones, where there are any. */
const placeholders: Readonly<Record<string, string>> = {
  'card.number': '4200000000000000',
  'card.cvv': '123',
  'bankAccount.iban': 'DE23100000001234567890',
};

/** The token is never repeated; the command takes it from the environment. */
const TOKEN = '-H "Authorization: Bearer $ACCESS_TOKEN"';

/** A word of a shell command, quoted. */
const quoted = (text: string): string => (/^[\w.:/=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

function fieldOf({ name, value, isMasked }: ShownField): string {
  const text = isMasked ? (placeholders[name] ?? `<${name}>`) : value;
  return `${/[^\w.:/@[\]-]/.test(text) ? '--data-urlencode' : '-d'} ${quoted(`${name}=${text}`)}`;
}

/** Parameters that the command leaves out: user and password are in the token. */
const isSent = ({ name }: ShownField): boolean => name !== '***' && !/^authentication\.(?:userId|password)$/.test(name);

/** The curl command of a call. */
function curlOf({ method, path, fields, hasIdempotencyKey }: Call, origin: string): string {
  const verb = { GET: '-G ', DELETE: '-G -X DELETE ' }[method] ?? '';
  return [
    `curl ${verb}${quoted(origin + path)}`,
    TOKEN,
    ...(hasIdempotencyKey ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...fields.filter(isSent).map(fieldOf),
  ].join(' \\\n  ');
}

/** Recorded calls of the API, and tools for developers. */

const LIMIT = 50;
const classes = { '2xx': [200, 299], '3xx': [300, 399], '4xx': [400, 499], '5xx': [500, 599] } as const;

const instant = (ms: number): string => new Date(ms).toISOString();

const shownCall = (call: Call): CallView => ({
  id: call.id,
  at: instant(call.at),
  entityId: call.entityId,
  endpoint: call.endpoint,
  method: call.method,
  path: call.path,
  status: call.status,
  code: call.code,
  ndc: call.ndc,
  ms: call.ms,
  paymentId: call.paymentId,
  merchantTransactionId: call.merchantTransactionId,
});

/** The calls of a channel, of a merchant, or of everything below a node. */
function merchantsFor({ directory }: Pick<Services, 'directory'>, { id, kind }: Entity): CallQuery['merchants'] {
  if (kind === 'channel') return { is: 'entity', entityId: id };
  if (kind === 'merchant') return { is: 'merchant', merchantId: id };
  return { is: 'merchants', merchantIds: directory.idsBelow(id).filter((one) => directory.stored(one)?.kind !== 'channel') };
}

function questionOf(values: AdminValues<'listCalls'>): Omit<CallQuery, 'merchants' | 'limit'> {
  const { entityId: _, limit: __, status, text, ...filters } = values;
  // As the merchant's reference was masked when the call was recorded.
  return { ...filters, ...(text && { text: maskText(text, []) }), ...(status && { statuses: classes[status] }) };
}

/** Lists calls, including calls that this node recorded a moment ago. */
const listCalls = query(
  'listCalls',
  authorizeEntity,
  async (services: Pick<Services, 'developer' | 'directory' | 'replies'>, { entity, values }) => {
    const { calls, inspector } = services.developer;
    await inspector?.flush();
    const limit = values.limit ?? LIMIT;
    const found = await calls.calls({ ...questionOf(values), merchants: merchantsFor(services, entity as Entity), limit });
    const next = found.length === limit ? (found.at(-1)?.id ?? null) : null;
    const body: CallsView = { calls: found.map(shownCall), next, isOn: inspector !== null };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

const authorizeCall = authorizeObject({
  what: 'call',
  find: async ({ developer: { inspector, calls } }, id): Promise<Call | null> => {
    await inspector?.flush();
    return calls.call(id);
  },
  entityIdOf: ({ entityId }) => entityId,
});

type Fault = { readonly name: string; readonly message: string };

function faultsIn(answer: unknown): readonly Fault[] {
  const result = isRecord(answer) ? answer.result : null;
  const errors = isRecord(result) ? result.parameterErrors : null;
  return Array.isArray(errors)
    ? errors.filter((one): one is Fault => isRecord(one) && typeof one.name === 'string' && typeof one.message === 'string')
    : [];
}

async function explained(
  { world }: Pick<Services, 'world'>,
  call: Call,
  language: ExplainLanguage,
): Promise<CallDetailView['explanation']> {
  const { status, code, merchantId, paymentId, answer } = call;
  const payment = paymentId === null ? null : await world.store.payment(merchantId, paymentId);
  const faults = answer === null ? [] : faultsIn(JSON.parse(answer));
  return {
    ...explainAnswer(status, code, language),
    faults: faults.map((fault) => explainFault(fault, language)),
    causes: causesOf(payment, code),
  };
}

/** Reads a call, with an explanation. */
const readCall = query(
  'readCall',
  authorizeCall,
  async (
    services: Pick<Services, 'environment' | 'publicUrl' | 'replies' | 'trust' | 'users' | 'world'>,
    { resource: call, values },
    request,
  ) => {
    const { from, who, againOf, aboutIds, fields, unread, hasIdempotencyKey, answer } = call;
    const body: CallDetailView = {
      ...shownCall(call),
      from,
      who,
      againOf,
      aboutIds,
      fields,
      unread,
      hasIdempotencyKey,
      answer: answer === null ? null : JSON.stringify(JSON.parse(answer), null, 2),
      explanation: await explained(services, call, values.language ?? 'en'),
      curl: curlOf(call, services.publicUrl ?? call.origin ?? gatewayAt(services, request)),
      toFill: services.environment === 'test' ? toFill(call) : null,
    };
    return services.replies.json(200, body, { entityId: call.entityId });
  },
);

/** The handlers for developers; `handle` runs a call again. */
export const createDeveloper = (handle: Handle) =>
  ({
    listCalls,
    readCall,
    runCall: createRunCall(handle, authorizeCall),
    readInbox,
    openInbox,
    changeInbox,
    closeInbox,
    readInboxMessage,
    readDue,
    issueWalletToken,
  }) as const;

/** The step of 3D Secure at which a payment that was not authenticated ended. */
function stepOf({ threeDS }: Payment): readonly CauseView[] {
  const phase = threeDS?.state.phase;
  if (phase === undefined) return [];
  if (phase.at !== 'done') return [{ is: 'threeDS', step: phase.at, status: null, reason: null }];
  const { kind, flow, transStatus, transStatusReason } = phase.outcome;
  if (kind === 'authenticated') return [];
  return [{ is: 'threeDS', step: flow ? `${flow}: ${kind}` : kind, status: transStatus, reason: transStatusReason }];
}

/** The causes of a result beyond its code: the rules that fired, and the step at which 3D Secure ended. */
function causesOf(payment: Payment | null, code: string): readonly CauseView[] {
  if (payment === null || !isResultCode(code) || isApproval(code)) return [];
  const rules = (payment.risk?.fired ?? [])
    .filter(({ verdict, score }) => verdict !== 'accept' || score !== 0)
    .map(({ rule, says, verdict, score }): CauseView => ({ is: 'rule', rule, says, verdict, score }));
  return [...(payment.risk?.verdict.is === 'decline' ? rules : []), ...stepOf(payment)];
}

import { checkForm } from '../../form/check.ts';
import type { Checked, Fault } from '../../form/checked.ts';
import type { Decoded } from '../../form/decode.ts';
import { type Channel, dispatch } from '../../merchants/channel.ts';
import type { Entity } from '../../merchants/directory.ts';
import { codeOf } from '../../payments/commitPayment.ts';
import type { Payment } from '../../payments/payment.ts';
import { readRegistration } from '../../payments/read.ts';
import type { Schedule } from '../../payments/schedule.ts';
import { mapInTicks } from '../../runtime/ticks.ts';
import { isZone } from '../../schedules/calendar.ts';
import { changeSchedule, createSchedule, endSchedule, loadSchedule, type ScheduleOutcome } from '../../schedules/change.ts';
import { isFaulty, type JobFields } from '../../schedules/fault.ts';
import { readPeriod } from '../../schedules/period.ts';
import { jobShown, projectSchedule, timesShown } from '../../schedules/project.ts';
import { readTimetable } from '../../schedules/timetable.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authenticated, Authorized } from './authenticate.ts';
import { idempotencyKeyOf, keyConflict, keyFault, withReplayMark } from './idempotencyKey.ts';

/** Schedules of regular payments: created, changed, ended, read. */

/** How many schedules of one registration are listed. */
const LISTED_MAX = 100;

type ScheduleOrder = { readonly kind: 'order'; readonly entity: Entity; readonly channel: Channel; readonly checked: Checked };

/** Old clients name the type of the request where they mean the debit that the schedule makes. */
const OWN_TYPES: readonly (string | undefined)[] = ['SD', 'RS', 'DS'];

function withPaymentType({ endpoint }: Request, decoded: Decoded): Decoded {
  const type = decoded.fields.get('paymentType') || undefined;
  const isNew = endpoint === 'schedule';
  if (type !== undefined && !OWN_TYPES.includes(type)) return decoded;
  const fields = new Map(decoded.fields);
  if (isNew) fields.set('paymentType', 'DB');
  else fields.delete('paymentType');
  return { ...decoded, fields };
}

/** The changes that a request makes to a schedule, with the channel that it belongs to. */
async function orderOf(
  services: Pick<Services, 'environment' | 'replies' | 'schedules' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<ScheduleOrder | Reply> {
  const { replies, environment } = services;
  const { entity } = caller;
  const decoded = withPaymentType(request, caller.decoded);
  const entityId = entity.channel ? null : await usualChannel(services, request, { kind: 'authenticated', entity, decoded });
  const found = dispatch(entity, { is: 'reference', entityId });
  if (found.is === 'refused') return replies.result(found.refusal, entity.id);
  const { channel } = found;
  const checked = await checkForm(decoded, {
    endpoint: request.endpoint,
    isLenient: channel.isLenient,
    cardNumbers: channel.cardNumbersInText,
    source: 'server',
    environment,
  });
  const badKey = keyFault(request);
  if (badKey || checked.is === 'faulty') {
    const faults = [...(badKey ? [badKey] : []), ...(checked.is === 'faulty' ? checked.faults : [])];
    return replies.result('200.300.404', entity.id, { faults });
  }
  return { kind: 'order', entity, channel, checked };
}

/** For a merchant with several channels: the channel of the schedule, or the one that stored the details. */
async function usualChannel(
  { schedules, world }: Pick<Services, 'schedules' | 'world'>,
  { id }: Request,
  { entity, decoded }: Authenticated,
): Promise<string | null> {
  const { merchantId } = entity;
  if (merchantId === null) return null;
  if (id !== null) return (await loadSchedule(schedules, merchantId, id))?.entityId ?? null;
  const registered = await world.store.registration(merchantId, decoded.fields.get('registrationId') ?? '');
  return registered?.registration.entityId ?? null;
}

/** Creates a schedule. */
export const schedule = (
  services: Pick<Services, 'digest' | 'environment' | 'replies' | 'schedules' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> => change(services, caller, request, (scheduleRequest) => createSchedule(services.schedules, scheduleRequest));

/** Replaces a schedule. */
export const reschedule = (
  services: Pick<Services, 'digest' | 'environment' | 'replies' | 'schedules' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> =>
  change(services, caller, request, (scheduleRequest) => changeSchedule(services.schedules, scheduleRequest, request.id ?? ''));

/** Ends a schedule. */
export const deschedule = (
  services: Pick<Services, 'digest' | 'environment' | 'replies' | 'schedules' | 'world'>,
  caller: Authenticated,
  request: Request,
): Promise<Reply> =>
  change(services, caller, request, (scheduleRequest) => endSchedule(services.schedules, scheduleRequest, request.id ?? ''));

type ScheduleRequest = Parameters<typeof createSchedule>[1];

async function change(
  services: Pick<Services, 'digest' | 'environment' | 'replies' | 'schedules' | 'world'>,
  caller: Authenticated,
  request: Request,
  carryOut: (scheduleRequest: ScheduleRequest) => Promise<ScheduleOutcome>,
): Promise<Reply> {
  const { replies } = services;
  const order = await orderOf(services, caller, request);
  if (order.kind === undefined) return order;
  const { entity, channel, checked } = order;
  const done = await carryOut({ channel, checked, idempotencyKey: idempotencyKeyOf(services, request, entity.id) });
  switch (done.is) {
    case 'done':
      return withReplayMark(shown(services, done.payment, done.schedule), done);
    case 'refused':
      return replies.result(done.refusal, entity.id);
    case 'faulty':
      return replies.result(done.code, entity.id, { faults: done.faults });
    case 'otherBody':
      return keyConflict(services, entity.id);
  }
}

function shown({ replies, world }: Pick<Services, 'replies' | 'world'>, payment: Payment, made: Schedule): Reply {
  const zone = world.channel(made.entityId)?.timeZone ?? 'UTC';
  const { ndc, entityId } = payment;
  const { status, body } = projectSchedule(payment, made, { base: replies.base(ndc), zone, now: world.clock.now() });
  return replies.json(status, body, { code: codeOf(payment), ndc, entityId });
}

/** Shows a schedule, or all schedules of a registration. */
export async function readSchedule(
  services: Pick<Services, 'replies' | 'schedules' | 'world'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const { replies, schedules, world } = services;
  const { scope, entityId } = caller;
  const isSeen = (made: Schedule): boolean => scope.entityId === null || made.entityId === scope.entityId;
  const id = request.id ?? '';
  const payment = await world.store.payment(scope.merchantId, id);
  const made = payment && (await schedules.store.schedule(scope.merchantId, payment.familyId));
  if (payment && made && isSeen(made)) return shown(services, payment, made);
  if (!(await readRegistration(world, scope, id))) return replies.result('700.400.580', entityId);
  const all = (await schedules.store.schedulesOf(scope.merchantId, id, LISTED_MAX)).filter(isSeen);
  const ndc = replies.ndc(entityId);
  const bodies = await mapInTicks(all, 1, async ([each]) => (each ? [await listed(services, each)] : []));
  const result = { code: '000.000.100', description: resultCodes['000.000.100'].text } as const;
  return replies.json(200, { result, schedules: bodies, ...replies.base(ndc) }, { code: result.code, ndc, entityId });
}

/** A schedule in a list: the reply for its present transaction, without the members at the end of every reply. */
async function listed({ replies, world }: Pick<Services, 'replies' | 'world'>, made: Schedule): Promise<object> {
  const payment = await world.store.payment(made.merchantId, made.transactionId);
  if (!payment) throw new Error(`the transaction ${made.transactionId} of a schedule does not exist`);
  const zone = world.channel(made.entityId)?.timeZone ?? 'UTC';
  const { body } = projectSchedule(payment, made, { base: replies.base(payment.ndc), zone, now: world.clock.now() });
  const { buildNumber: _, timestamp: __, ndc: ___, ...own } = body;
  return own;
}

/** Lists when a job would run. */
export async function previewSchedule(
  services: Pick<Services, 'directory' | 'environment' | 'replies' | 'world'>,
  { checked, entityId }: Authorized,
): Promise<Reply> {
  const { replies, world, environment } = services;
  const { timeZone, isLenient: allowsBothDays = false } = services.directory.entity(entityId)?.settings ?? {};
  const zone = checked.text('zone') ?? timeZone ?? 'UTC';
  if (!isZone(zone)) {
    const fault: Fault = { name: 'zone', value: zone, message: 'must be the name of a time zone such as Europe/Vienna' };
    return replies.result('200.300.404', entityId, { faults: [fault] });
  }
  const fields = Object.fromEntries([...checked.fields].filter(([name]) => name.startsWith('job.')));
  const createdAt = instantOf(checked.text('from'), zone) ?? world.clock.now();
  const timetable = readTimetable(fields, { zone, createdAt, allowsSubMinute: environment === 'test', allowsBothDays });
  if (isFaulty(timetable)) {
    const faults = timetable.faults.map(({ field, message }) => ({ name: field, value: fields[field] ?? null, message }));
    return replies.result(timetable.faults[0]?.code ?? '100.250.250', entityId, { faults });
  }
  const ndc = replies.ndc(entityId);
  const result = { code: '000.000.100', description: resultCodes['000.000.100'].text } as const;
  const body = {
    result,
    job: jobShown(fields, timetable),
    plan: timesShown(timetable, { after: createdAt }),
    ...replies.base(ndc),
  };
  return replies.json(200, body, { code: result.code, ndc, entityId });
}

/** An instant on the clock of a time zone; its format was checked. */
function instantOf(text: string | undefined, zone: string): number | null {
  if (text === undefined) return null;
  const fields: JobFields = { 'job.startDate': text };
  const period = readPeriod(fields, { zone, createdAt: 0 });
  return isFaulty(period) ? null : period.startsAt;
}

import { check } from '../../../form/check.ts';
import type { Fault } from '../../../form/checked.ts';
import { decode } from '../../../form/decode.ts';
import type { Channel } from '../../../merchants/channel.ts';
import { instantShown, instrumentView, paymentView } from '../../../payments/reply/paymentView.ts';
import type { Schedule, ScheduleRun } from '../../../payments/schedule.ts';
import { readFamilies } from '../../../payments/search/search.ts';
import { changeSchedule as applyChange, createSchedule as applyCreation, endSchedule } from '../../../schedules/change.ts';
import { isFaulty, type JobFault, type JobFields } from '../../../schedules/fault.ts';
import { describeIn, endShown, expressionOf, RUNS_SHOWN, runsAhead, scheduleView } from '../../../schedules/project.ts';
import { jobOf } from '../../../schedules/scheduleRequest.ts';
import { type LastRun, lastOfRuns, type NewJobContext, nextDues, readTimetable } from '../../../schedules/timetable.ts';
import type { AdminValues } from '../../../spec/admin/admin.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ListedSchedule, ScheduleDetail, SchedulePage } from '../../../spec/answers/stored.ts';
import { keyConflict } from '../../api/idempotencyKey.ts';
import type { Services } from '../../services.ts';
import type { Reply } from '../../transport/reply.ts';
import { authorizeEntity, faulty, noSuch } from '../authorize.ts';
import { type CommandResult, command, query } from '../command.ts';
import { cursorOf, foundBy, nextCursor, PAGE, reachOf } from './reach.ts';
import { registrationIn } from './registrations.ts';

/** Schedules of regular payments. */

const RUNS_AHEAD = 10;
const RUNS_MAX = 100;

const zoneOf = ({ world, directory }: Pick<Services, 'directory' | 'world'>, { entityId }: Schedule): string =>
  world.channel(entityId)?.timeZone ?? directory.entity(entityId)?.settings.timeZone ?? 'UTC';

/** A schedule in a list. */
export const scheduleSeen = (
  services: Pick<Services, 'directory' | 'world'>,
  schedule: Schedule,
  language: 'en' | 'de',
): ListedSchedule => scheduleView(schedule, { zone: zoneOf(services, schedule), language });

/** A schedule within reach of a node, by its id. */
async function scheduleIn(
  services: Pick<Services, 'directory' | 'schedules'>,
  entityId: string,
  id: string,
): Promise<Schedule | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null;
  return foundBy(reachOf(services, entityId), (merchantId) => services.schedules.store.schedule(merchantId, id));
}

const listSchedules = query(
  'listSchedules',
  authorizeEntity,
  async (services: Pick<Services, 'directory' | 'listings' | 'replies' | 'schedules' | 'world'>, { entity, values }) => {
    const { id, state = null, after, limit = PAGE, language = 'en' } = values;
    const reach = reachOf(services, entity.id);
    const named = id === undefined ? null : await scheduleIn(services, entity.id, id);
    const found =
      id === undefined
        ? await services.listings.listSchedules({ scope: reach, before: cursorOf(after), limit, state })
        : named
          ? [named]
          : [];
    const body: SchedulePage = {
      schedules: found.map((schedule) => scheduleSeen(services, schedule, language)),
      next: id === undefined ? nextCursor(found, limit) : null,
    };
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

/** The runs of a schedule with their payments. */
async function runsSeen(
  { world, queries }: Pick<Services, 'queries' | 'world'>,
  { merchantId }: Schedule,
  runs: readonly ScheduleRun[],
): Promise<ScheduleDetail['runs']> {
  const payments = await Promise.all(
    runs.map(({ paymentId }) => (paymentId === null ? null : world.store.payment(merchantId, paymentId))),
  );
  const familyOf = await readFamilies(
    queries,
    payments.filter((payment) => payment !== null),
  );
  return runs.map(({ dueAt, at, skipped }, nth) => {
    const payment = payments[nth] ?? null;
    return {
      dueAt: instantShown(dueAt),
      doneAt: instantShown(at),
      payment: payment && paymentView(payment, familyOf(payment)),
      skipped,
    };
  });
}

async function scheduleDetail(
  services: Pick<Services, 'directory' | 'forMerchant' | 'queries' | 'schedules' | 'world'>,
  schedule: Schedule,
  language: 'en' | 'de',
): Promise<ScheduleDetail> {
  const zone = zoneOf(services, schedule);
  const { merchantId, registrationId, charge, fields } = schedule;
  const now = services.forMerchant(merchantId).world.clock.now();
  const registered = await services.world.store.registration(merchantId, registrationId);
  const runs = await services.schedules.store.runs(merchantId, schedule.id, RUNS_MAX);
  return {
    ...scheduleView(schedule, { zone, language }),
    endsAt: endShown(schedule),
    expression: expressionOf(schedule, zone),
    startDate: fields['job.startDate'] ?? null,
    endDate: fields['job.endDate'] ?? null,
    descriptor: fields.descriptor ?? null,
    merchantTransactionId: fields.merchantTransactionId ?? null,
    testMode: fields.testMode ?? null,
    nextRuns: runsAhead(schedule, zone, { now, count: RUNS_AHEAD }),
    again: charge && { at: charge.againAt === null ? null : instantShown(charge.againAt), tries: charge.tries },
    instrument: registered && instrumentView(registered.registration.instrument, registered.registration.paymentBrand),
    runs: await runsSeen(services, schedule, runs),
  };
}

const seeSchedule = query(
  'seeSchedule',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'forMerchant' | 'queries' | 'replies' | 'schedules' | 'world'>,
    { entity, values },
    request,
  ) => {
    const schedule = await scheduleIn(services, entity.id, request.id ?? '');
    if (!schedule) return noSuch(services, 'schedule');
    return services.replies.json(
      200,
      (await scheduleDetail(services, schedule, values.language ?? 'en')) satisfies AdminAnswer<'seeSchedule'>,
      { entityId: entity.id },
    );
  },
);

export const scheduleHandlers = { listSchedules, seeSchedule };

/** Schedules that a user creates, changes and ends, by the functions of the merchant's own requests. */

type CreationValues = AdminValues<'createSchedule'>;
type TermValues = Omit<AdminValues<'changeSchedule'>, 'entityId' | 'key' | 'language'>;
type RunValues = Pick<TermValues, 'expression' | 'startDate' | 'endDate' | 'payments' | 'noEnd'>;

/** The fields that are parameters of the request. `payments` and `noEnd` become `job.endDate`. */
const parameterOf = {
  amount: 'amount',
  currency: 'currency',
  descriptor: 'descriptor',
  merchantTransactionId: 'merchantTransactionId',
  testMode: 'testMode',
  name: 'job.name',
  expression: 'job.expression',
  startDate: 'job.startDate',
  endDate: 'job.endDate',
} as const satisfies Readonly<Partial<Record<keyof TermValues, string>>>;

const names = Object.keys(parameterOf) as (keyof typeof parameterOf)[];

/** The parts of an expression, which an expression as a whole replaces. */
const EXPRESSION_PART = /^job\.(?:second|minute|hour|dayOfMonth|month|dayOfWeek|year|expression)$/;

/** The name of a parameter as the form has it. */
function fieldFor(parameter: string, { payments }: RunValues): string {
  if (EXPRESSION_PART.test(parameter)) return 'expression';
  if (parameter === 'job.endDate' && payments !== undefined) return 'payments';
  return names.find((name) => parameterOf[name] === parameter) ?? parameter;
}

const atFields = (faults: readonly Fault[], values: RunValues): readonly Fault[] =>
  faults.map((fault) => ({ ...fault, name: fieldFor(fault.name, values) }));

const jobFaults = (faults: readonly JobFault[], job: JobFields): readonly Fault[] =>
  faults.map(({ field, message }) => ({ name: field, value: job[field] ?? null, message }));

/** The rules for the job, and the instant after which its payments are counted. */
type JobTerms = NewJobContext & { readonly after: number };

type JobRead =
  | { readonly kind: 'job'; readonly job: JobFields; readonly last: LastRun }
  | { readonly kind: 'faulty'; readonly faults: readonly Fault[] };

/** The job of a request over the present one: parts that are not sent stay. */
function jobWith(present: JobFields, values: RunValues & Pick<TermValues, 'name'>): JobFields {
  const { expression, noEnd, payments } = values;
  const kept = Object.entries(present).filter(
    ([name]) =>
      !(expression !== undefined && EXPRESSION_PART.test(name)) && !((noEnd || payments !== undefined) && name === 'job.endDate'),
  );
  const sent = (['name', 'expression', 'startDate', 'endDate'] as const).flatMap((name) => {
    const value = values[name];
    return value === undefined ? [] : [[parameterOf[name], value]];
  });
  return Object.fromEntries([...kept, ...sent]);
}

/** A number of payments as the end date of the job. */
function readJob(present: JobFields, values: RunValues & Pick<TermValues, 'name'>, terms: JobTerms): JobRead {
  const { payments, endDate, noEnd } = values;
  const fault = (name: string, message: string): JobRead => ({
    kind: 'faulty',
    faults: [{ name, value: null, message }],
  });
  if (payments !== undefined && endDate !== undefined) return fault('payments', 'must not be sent with endDate');
  if (noEnd && (payments !== undefined || endDate !== undefined))
    return fault('noEnd', 'must not be sent with endDate or payments');
  const job = jobWith(present, values);
  if (payments === undefined) return { kind: 'job', job, last: null };
  const timetable = readTimetable(job, terms);
  if (isFaulty(timetable)) return { kind: 'faulty', faults: atFields(jobFaults(timetable.faults, job), values) };
  const last = lastOfRuns(timetable, { after: terms.after, count: payments });
  if (last === null || last.runs < payments)
    return fault('payments', `must be at most ${last?.runs ?? 0}: the schedule has no more runs`);
  return { kind: 'job', job: { ...job, 'job.endDate': last.endDate }, last };
}

type Ordered = {
  readonly services: Services;
  readonly channel: Channel;
  readonly endpoint: 'schedule' | 'reschedule';
  readonly values: CreationValues | AdminValues<'changeSchedule'>;
  readonly present: Schedule | null;
};

const isJobChanged = (values: TermValues): boolean =>
  (['name', 'expression', 'startDate', 'endDate', 'payments', 'noEnd'] as const).some((name) => values[name] !== undefined);

/** The wire fields of the request that a merchant would send. */
function wireFields({ channel, values, present, endpoint }: Ordered, job: JobFields): Readonly<Record<string, string>> {
  const own = names.flatMap((name) => {
    const value = values[name];
    return value === undefined || parameterOf[name].startsWith('job.') ? [] : [[parameterOf[name], value]];
  });
  return {
    entityId: channel.entityId,
    ...Object.fromEntries(own),
    ...(endpoint === 'schedule' && { paymentType: 'DB', registrationId: (values as CreationValues).registrationId }),
    ...(present === null || isJobChanged(values) ? job : {}),
  };
}

/** Creates or changes a schedule as the merchant's own request would. */
async function order(ordered: Ordered, entityId: string): Promise<CommandResult> {
  const { services, channel, values, present, endpoint } = ordered;
  const { world, environment, schedules, replies, digest } = services;
  const refused = (reply: Reply): CommandResult => ({ reply, objectId: present?.id ?? null });
  const now = world.clock.now();
  const read = readJob(present ? jobOf(present.fields) : {}, values, {
    zone: channel.timeZone,
    createdAt: now,
    after: present?.regularAt ? Math.min(now, present.regularAt - 1) : now,
    allowsSubMinute: environment === 'test',
    allowsBothDays: channel.isLenient,
  });
  if (read.kind === 'faulty') return refused(faulty(services, entityId, ...read.faults));
  const decoded = decode(new URLSearchParams(wireFields(ordered, read.job)).toString());
  const checked = check(decoded, {
    endpoint,
    isLenient: channel.isLenient,
    cardNumbers: channel.cardNumbersInText,
    source: 'server',
    environment,
  });
  if (checked.is === 'faulty') return refused(faulty(services, entityId, ...atFields(checked.faults, values)));
  const { key, language = 'en', ...sent } = values;
  const idempotencyKey = {
    entityId: channel.entityId,
    key: digest(channel.entityId, `office\n${key}`),
    bodyHash: digest(channel.entityId, JSON.stringify([endpoint, present?.id ?? null, sent])),
  };
  const request = { channel, checked, idempotencyKey };
  const done = present ? await applyChange(schedules, request, present.transactionId) : await applyCreation(schedules, request);
  switch (done.is) {
    case 'done': {
      const body = (await scheduleDetail(services, done.schedule, language)) satisfies AdminAnswer<
        'createSchedule' | 'changeSchedule'
      >;
      return { reply: replies.json(200, body, { entityId }), objectId: done.schedule.id };
    }
    case 'refused':
      return refused(replies.result(done.refusal, entityId));
    case 'faulty':
      return refused(replies.result(done.code, entityId, { faults: atFields(done.faults, values) }));
    case 'otherBody':
      return refused(keyConflict(services, entityId));
  }
}

const createSchedule = command(
  'createSchedule',
  authorizeEntity,
  async (services: Services, { entity, values }): Promise<CommandResult> => {
    const registration = await registrationIn(services, entity.id, values.registrationId);
    const channel = registration && services.world.channel(registration.entityId);
    if (!channel) {
      const fault = { name: 'registrationId', value: values.registrationId, message: 'must be the id of stored payment details' };
      return { reply: faulty(services, entity.id, fault), objectId: null };
    }
    const own = services.forMerchant(channel.merchantId);
    return order({ services: own, channel, endpoint: 'schedule', values, present: null }, entity.id);
  },
);

const changeSchedule = command(
  'changeSchedule',
  authorizeEntity,
  async (services: Services, { entity, values }, request): Promise<CommandResult> => {
    const present = await scheduleIn(services, entity.id, request.id ?? '');
    const channel = present && services.world.channel(present.entityId);
    if (!present || !channel) return { reply: noSuch(services, 'schedule'), objectId: request.id };
    const own = services.forMerchant(channel.merchantId);
    return order({ services: own, channel, endpoint: 'reschedule', values, present }, entity.id);
  },
);

/** Ends a schedule as the merchant's own request would. */
const cancelSchedule = command(
  'cancelSchedule',
  authorizeEntity,
  async (
    services: Pick<Services, 'directory' | 'forMerchant' | 'queries' | 'replies' | 'schedules' | 'world'>,
    { entity },
    request,
  ): Promise<CommandResult> => {
    const acted = (reply: Reply): CommandResult => ({ reply, objectId: request.id });
    const schedule = await scheduleIn(services, entity.id, request.id ?? '');
    const channel = schedule && services.world.channel(schedule.entityId);
    if (!schedule || !channel) return acted(noSuch(services, 'schedule'));
    const { schedules, environment } = services.forMerchant(schedule.merchantId);
    const decoded = decode(new URLSearchParams({ entityId: schedule.entityId }).toString());
    const checked = check(decoded, { endpoint: 'deschedule', isLenient: true, source: 'server', environment });
    if (checked.is === 'faulty') return acted(services.replies.result('200.300.404', entity.id, { faults: checked.faults }));
    const done = await endSchedule(schedules, { channel, checked, idempotencyKey: null }, schedule.transactionId);
    if (done.is === 'refused') return acted(services.replies.result(done.refusal, entity.id));
    const after = (await scheduleIn(services, entity.id, schedule.id)) ?? schedule;
    return acted(
      services.replies.json(200, (await scheduleDetail(services, after, 'en')) satisfies AdminAnswer<'cancelSchedule'>, {
        entityId: entity.id,
      }),
    );
  },
);

/** The runs of a schedule before it is created. */
const previewRuns = query(
  'previewRuns',
  authorizeEntity,
  async (real: Pick<Services, 'directory' | 'forMerchant'>, { entity, values }) => {
    const known = real.directory.entity(entity.id);
    const services = real.forMerchant(known?.merchantId ?? null);
    const { timeZone: zone = 'UTC', isLenient: allowsBothDays = false } = known?.settings ?? {};
    const now = services.world.clock.now();
    const terms = { zone, createdAt: now, after: now, allowsSubMinute: services.environment === 'test', allowsBothDays };
    const read = readJob({}, values, terms);
    if (read.kind === 'faulty') return faulty(services, entity.id, ...read.faults);
    const timetable = readTimetable(read.job, terms);
    if (isFaulty(timetable)) return faulty(services, entity.id, ...atFields(jobFaults(timetable.faults, read.job), values));
    const body = {
      words: describeIn(values.language ?? 'en', timetable),
      timeZone: zone,
      nextRuns: nextDues(timetable, { after: now, count: RUNS_SHOWN }).map(instantShown),
      lastRun: read.last && instantShown(read.last.at),
    } satisfies AdminAnswer<'previewRuns'>;
    return services.replies.json(200, body, { entityId: entity.id });
  },
);

export const scheduleCommands = { previewRuns, createSchedule, changeSchedule, cancelSchedule };

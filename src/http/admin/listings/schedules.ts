import { instantShown, instrumentView, paymentView } from '../../../payments/reply/paymentView.ts';
import type { Schedule, ScheduleRun } from '../../../payments/schedule.ts';
import { readFamilies } from '../../../payments/search/search.ts';
import { endShown, expressionOf, runsAhead, scheduleView } from '../../../schedules/project.ts';
import type { AdminAnswer } from '../../../spec/answers/adminAnswers.ts';
import type { ListedSchedule, ScheduleDetail, SchedulePage } from '../../../spec/answers/stored.ts';
import type { Services } from '../../services.ts';
import { authorizeEntity, noSuch } from '../authorize.ts';
import { query } from '../command.ts';
import { cursorOf, foundBy, nextCursor, PAGE, reachOf } from './reach.ts';

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
export async function scheduleIn(
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

export async function scheduleDetail(
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

import type { Fault } from '../../form/checked.ts';
import { isFaulty, type JobFields } from '../../schedules/fault.ts';
import { jobShown, timesShown } from '../../schedules/project.ts';
import { readPeriod } from '../../schedules/readPeriod.ts';
import { readTimetable } from '../../schedules/timetable.ts';
import { isZone } from '../../schedules/zone.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Services } from '../services.ts';
import type { Reply } from '../transport/reply.ts';
import type { Authorized } from './authorize.ts';

/** Lists when a job would run. */
export function previewSchedule(
  services: Pick<Services, 'directory' | 'environment' | 'replies' | 'world'>,
  { checked, entityId }: Authorized,
): Reply {
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

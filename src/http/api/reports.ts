import type { Checked } from '../../form/checked.ts';
import { csvPieces } from '../../reports/reconciliation/csv.ts';
import {
  PAGE_RECORDS,
  recordsOfDays,
  type SettledQuestion,
  tellAggregations,
  tellAll,
  tellPage,
  type Whose,
} from '../../reports/settlementReport/report.ts';
import type { RecordType } from '../../settlement/record.ts';
import { defaultColumns } from '../../spec/reconciliation.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import { downloadHeaders, jsonHeaders, type Reply } from '../server/reply.ts';
import type { Request } from '../server/request.ts';
import type { Rooms } from '../services.ts';
import { enter } from './authorize.ts';

const FOUND = '000.000.100';
const head = { result: { code: FOUND, description: resultCodes[FOUND].text } } as const;

type Asked = { readonly whose: Whose; readonly checked: Checked; readonly entityId: string };

/** The door of reports: what is made up is told in the test environment alone. */
function ask(rooms: Rooms, request: Request): Asked | Reply {
  const entered = enter(rooms, request);
  if ('status' in entered) return entered;
  const { scope, checked, entityId } = entered;
  const testMode = checked.text('testMode');
  if (rooms.environment === 'live' && testMode !== undefined) return rooms.respond.result('600.200.701', entityId);
  const whose = { merchantId: scope.merchantId, channelId: scope.entityId, isSample: testMode === 'INTERNAL' };
  return { whose, checked, entityId };
}

const daysOf = (checked: Checked) => ({
  from: checked.text('date.from') ?? '',
  to: checked.text('date.to') ?? '',
  currency: checked.text('currency') ?? null,
});

const settledOf = (checked: Checked, id: string | null): SettledQuestion => ({
  id: id ?? '',
  recordType: (checked.text('reconciliationType') as RecordType | undefined) ?? null,
  isBackwards: checked.text('sortOrder')?.toUpperCase() === 'DESC',
});

/** What was settled on which day in which currency. */
export async function reportAggregations(rooms: Rooms, request: Request): Promise<Reply> {
  const asked = ask(rooms, request);
  if ('status' in asked) return asked;
  const { whose, checked, entityId } = asked;
  const records = await tellAggregations(rooms.reports, whose, daysOf(checked));
  if (records.length === 0) return rooms.respond.result('700.400.580', entityId);
  const ndc = rooms.respond.ndc(entityId);
  return rooms.respond.json(200, { ...head, ...rooms.respond.base(ndc), records }, { code: FOUND, ndc, entityId });
}

/** A page of the records of a day and currency. */
export async function reportSettlementPages(rooms: Rooms, request: Request): Promise<Reply> {
  const asked = ask(rooms, request);
  if ('status' in asked) return asked;
  const { whose, checked, entityId } = asked;
  const pageNo = Number(checked.text('pageNo') ?? 1);
  const { records, count } = await tellPage(rooms.reports, whose, { ...settledOf(checked, request.id), pageNo });
  if (records.length === 0) return rooms.respond.result('700.400.580', entityId);
  const ndc = rooms.respond.ndc(entityId);
  const body = { ...head, ...rooms.respond.base(ndc), records, pages: Math.ceil(count / PAGE_RECORDS) };
  return rooms.respond.json(200, body, { code: FOUND, ndc, entityId });
}

/** All of them in one answer, which leaves as it is made: the first version knows no pages. */
export async function reportSettlement(rooms: Rooms, request: Request): Promise<Reply> {
  const asked = ask(rooms, request);
  if ('status' in asked) return asked;
  const { whose, checked, entityId } = asked;
  const portions = await tellAll(rooms.reports, whose, settledOf(checked, request.id));
  if (portions === null) return rooms.respond.result('700.400.580', entityId);
  const ndc = rooms.respond.ndc(entityId);
  const opening = `${JSON.stringify({ ...head, ...rooms.respond.base(ndc) }).slice(0, -1)},"records":[`;
  return { status: 200, headers: jsonHeaders, body: '', pieces: listed(opening, portions), code: FOUND, ndc, entityId };
}

async function* listed(opening: string, portions: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  let text = opening;
  let isFirst = true;
  for await (const portion of portions) {
    for (const record of portion) {
      text += `${isFirst ? '' : ','}${JSON.stringify(record)}`;
      isFirst = false;
    }
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]}`);
}

/** The reconciliation file of some days, as it leaves for the merchant's own server. */
export function reportCsv(rooms: Rooms, request: Request): Reply {
  const asked = ask(rooms, request);
  if ('status' in asked) return asked;
  const { whose, checked, entityId } = asked;
  const days = daysOf(checked);
  const names = checked.text('columns')?.split(/, ?/) ?? defaultColumns;
  const { recordType } = settledOf(checked, null);
  const pieces = csvPieces(names, recordsOfDays(rooms.reports, whose, { ...days, recordType }));
  const headers = downloadHeaders('text/csv; charset=utf-8; header=present', `reconciliation_${days.from}_${days.to}.csv`);
  return {
    status: 200,
    headers,
    body: '',
    pieces,
    code: null,
    ndc: rooms.respond.ndc(entityId),
    entityId,
  };
}

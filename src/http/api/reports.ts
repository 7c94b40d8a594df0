import type { Checked } from '../../form/checked.ts';
import { csvChunks } from '../../reports/reconciliation/csv.ts';
import {
  PAGE_RECORDS,
  type ReportScope,
  readAggregations,
  recordsOfDays,
  reportAll,
  reportPage,
  type SettledQuery,
} from '../../reports/settlementReport/report.ts';
import type { RecordType } from '../../settlement/record.ts';
import { defaultColumns } from '../../spec/reconciliation.ts';
import { resultCodes } from '../../spec/resultCodes.ts';
import type { Request } from '../request.ts';
import type { Services } from '../services.ts';
import { downloadHeaders, jsonHeaders, type Reply } from '../transport/reply.ts';
import type { Authorized } from './authenticate.ts';

const FOUND = '000.000.100';
const head = { result: { code: FOUND, description: resultCodes[FOUND].text } } as const;

type ReportQuery = { readonly kind: 'query'; readonly scope: ReportScope; readonly checked: Checked; readonly entityId: string };

/** The query of a report. Sample records exist in the test environment alone. */
function queryOf(
  services: Pick<Services, 'environment' | 'replies'>,
  { scope, checked, entityId }: Authorized,
): ReportQuery | Reply {
  const testMode = checked.text('testMode');
  if (services.environment === 'live' && testMode !== undefined) return services.replies.result('600.200.701', entityId);
  const reported = { merchantId: scope.merchantId, channelId: scope.entityId, isSample: testMode === 'INTERNAL' };
  return { kind: 'query', scope: reported, checked, entityId };
}

const daysOf = (checked: Checked) => ({
  from: checked.text('date.from') ?? '',
  to: checked.text('date.to') ?? '',
  currency: checked.text('currency') ?? null,
});

const settledOf = (checked: Checked, id: string | null): SettledQuery => ({
  id: id ?? '',
  recordType: (checked.text('reconciliationType') as RecordType | undefined) ?? null,
  isBackwards: checked.text('sortOrder')?.toUpperCase() === 'DESC',
});

/** Settled amounts by day and currency. */
export async function reportAggregations(
  services: Pick<Services, 'environment' | 'replies' | 'reports'>,
  caller: Authorized,
): Promise<Reply> {
  const query = queryOf(services, caller);
  if (query.kind === undefined) return query;
  const { scope, checked, entityId } = query;
  const records = await readAggregations(services.reports, scope, daysOf(checked));
  if (records.length === 0) return services.replies.result('700.400.580', entityId);
  const ndc = services.replies.ndc(entityId);
  return services.replies.json(200, { ...head, ...services.replies.base(ndc), records }, { code: FOUND, ndc, entityId });
}

/** A page of the records of a day and currency. */
export async function reportSettlementPages(
  services: Pick<Services, 'environment' | 'replies' | 'reports'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const query = queryOf(services, caller);
  if (query.kind === undefined) return query;
  const { scope, checked, entityId } = query;
  const pageNo = Number(checked.text('pageNo') ?? 1);
  const { records, count } = await reportPage(services.reports, scope, { ...settledOf(checked, request.id), pageNo });
  if (records.length === 0) return services.replies.result('700.400.580', entityId);
  const ndc = services.replies.ndc(entityId);
  const body = { ...head, ...services.replies.base(ndc), records, pages: Math.ceil(count / PAGE_RECORDS) };
  return services.replies.json(200, body, { code: FOUND, ndc, entityId });
}

/** All records in one streamed reply: the first version has no pages. */
export async function reportSettlement(
  services: Pick<Services, 'environment' | 'replies' | 'reports'>,
  caller: Authorized,
  request: Request,
): Promise<Reply> {
  const query = queryOf(services, caller);
  if (query.kind === undefined) return query;
  const { scope, checked, entityId } = query;
  const batches = await reportAll(services.reports, scope, settledOf(checked, request.id));
  if (batches === null) return services.replies.result('700.400.580', entityId);
  const ndc = services.replies.ndc(entityId);
  const opening = `${JSON.stringify({ ...head, ...services.replies.base(ndc) }).slice(0, -1)},"records":[`;
  return { status: 200, headers: jsonHeaders, body: '', pieces: listed(opening, batches), code: FOUND, ndc, entityId };
}

async function* listed(opening: string, batches: AsyncIterable<readonly object[]>): AsyncGenerator<Uint8Array> {
  let text = opening;
  let isFirst = true;
  for await (const batch of batches) {
    for (const record of batch) {
      text += `${isFirst ? '' : ','}${JSON.stringify(record)}`;
      isFirst = false;
    }
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(`${text}]}`);
}

/** The reconciliation file of a period, as it is delivered to the merchant's own server. */
export async function reportCsv(
  services: Pick<Services, 'environment' | 'replies' | 'reports'>,
  caller: Authorized,
): Promise<Reply> {
  const query = queryOf(services, caller);
  if (query.kind === undefined) return query;
  const { scope, checked, entityId } = query;
  const days = daysOf(checked);
  const names = checked.text('columns')?.split(/, ?/) ?? defaultColumns;
  const { recordType } = settledOf(checked, null);
  const pieces = csvChunks(names, recordsOfDays(services.reports, scope, { ...days, recordType }));
  const headers = downloadHeaders('text/csv; charset=utf-8; header=present', `reconciliation_${days.from}_${days.to}.csv`);
  return {
    status: 200,
    headers,
    body: '',
    pieces,
    code: null,
    ndc: services.replies.ndc(entityId),
    entityId,
  };
}

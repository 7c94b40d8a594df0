import { OperatorError } from '../../app/operatorError.ts';
import { rest } from '../../app/system.ts';
import { type AuditEntry, auditCsvHeader, auditCsvLine } from '../../audit/entry.ts';
import { type AuditFilter, type AuditResult, auditResults, streamAudit } from '../../audit/list.ts';
import { type Command, type Context, parseFlaggedOptions, UsageError } from '../command.ts';
import { findEntity } from '../context.ts';
import { counted, formatTable } from '../output.ts';

/** Lists or exports the audit log. Reading it is an audited action itself. */
export const auditCommand: Command = {
  name: 'audit',
  summary: 'read the audit log, or export it as CSV or as lines of JSON; turnpike verify proves it',
  usage: [
    'audit [options]',
    '  --entity id      only what is about this entity and those below it',
    '  --who text       only acts of this one: an id, or a part of a name or an e-mail address',
    '  --what name      only this act, such as createWebhook',
    '  --result word    done, refused or failed',
    '  --from instant   such as 2031-10-02T09:15:31Z, the instant included',
    '  --to instant     before this instant',
    '  --limit number   how many at most, the youngest; 50 without --csv and --json, all with them',
    '  --csv, --json    as a file on standard output, the youngest first',
  ].join('\n'),
  run: (words, context) => audit(words, context),
};

type Texts = Readonly<Partial<Record<'entity' | 'who' | 'what' | 'result' | 'from' | 'to' | 'limit', string>>>;
export type AuditNeeds = Pick<Context, 'store' | 'print' | 'write' | 'printError'>;

const LIMIT = 50;

export async function audit(words: readonly string[], context: AuditNeeds): Promise<number> {
  const { texts, flags } = parseFlaggedOptions(
    words,
    ['entity', 'who', 'what', 'result', 'from', 'to', 'limit'],
    ['csv', 'json'],
  );
  if (flags.csv && flags.json) throw new UsageError('give either --csv or --json');
  const isFile = flags.csv === true || flags.json === true;
  const limit = limitOf(texts.limit, isFile ? Number.POSITIVE_INFINITY : LIMIT);
  const store = await context.store();
  const filter = await filterOf(store, texts);
  const lineOf = flags.csv ? auditCsvLine : (entry: AuditEntry) => `${JSON.stringify(entry)}\n`;
  if (flags.csv) await context.write(Buffer.from(auditCsvHeader));
  const rows: string[][] = [['number', 'when', 'who', 'what', 'on', 'from', 'result', 'node']];
  let count = 0;
  for await (const portion of streamAudit({ store, rest }, filter)) {
    const wanted = portion.slice(0, limit - count);
    if (isFile) await context.write(Buffer.from(wanted.map(lineOf).join('')));
    else rows.push(...wanted.map(cellsOf));
    count += wanted.length;
    if (count >= limit) break;
  }
  if (!isFile) for (const line of formatTable(rows, [0])) context.print(line);
  context.printError(counted(count, 'entry', 'entries'));
  return 0;
}

const cellsOf = ({ number, at, by, who, whoName, what, entityId, objectId, from, result, node }: AuditEntry): string[] => [
  String(number),
  new Date(at).toISOString(),
  whoName || who || by,
  what,
  objectId ?? entityId ?? '-',
  from,
  result,
  node,
];

async function filterOf(store: Awaited<ReturnType<Context['store']>>, texts: Texts): Promise<AuditFilter> {
  const { who, what, result } = texts;
  if (result !== undefined && !isResult(result)) throw new UsageError(`--result: one of ${auditResults.join(', ')}`);
  const { tree } = texts.entity === undefined ? { tree: null } : await findEntity(store, texts.entity);
  const own = tree && [...tree.values()].filter(({ path }) => path.includes(texts.entity ?? '')).map(({ id }) => id);
  const all = own ?? (await store.entities()).map(({ id }) => id);
  return {
    entityIds: new Set(all),
    includesInstallation: own === null,
    ...(who !== undefined && { who }),
    ...(what !== undefined && { what }),
    ...(result !== undefined && { result }),
    ...(texts.from !== undefined && { from: instantOf('from', texts.from) }),
    ...(texts.to !== undefined && { to: instantOf('to', texts.to) }),
  };
}

const isResult = (text: string): text is AuditResult => auditResults.some((one) => one === text);

function limitOf(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new UsageError('--limit: a number from 1');
  return Number(text);
}

function instantOf(name: string, text: string): number {
  try {
    return Temporal.Instant.from(text).epochMilliseconds;
  } catch {
    throw new OperatorError(`--${name}: ${JSON.stringify(text)} is no instant such as 2031-10-02T09:15:31Z`);
  }
}

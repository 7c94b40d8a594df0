import { MINUTE_MS } from '../../../spec/time.ts';
import { ledgerStatements } from '../../../store/areas/ledger.ts';
import { counted } from '../../output.ts';
import { type Check, type Exam, findings, spanText } from './check.ts';

const LATE_MS = 10 * MINUTE_MS;

type Queue = { readonly count: string | number; readonly oldest: string | number | null };

/** Work under a test clock is due by that clock, not by this one. */
const REAL_TIME = 'merchant_id NOT IN (SELECT merchant_id FROM merchant_clock)';

/** The gateway of this machine, as a load balancer asks it. */
const localUrl = ({ config: { tls, host, port } }: Omit<Exam, 'database'>, path: string): string => {
  const name = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
  return `${tls ? 'https' : 'http'}://${name}:${port}${path}`;
};

const JOB_AGE = /^turnpike_job_age_seconds\{job="([^"]+)"\} ([0-9.e+-]+)$/gm;
/** Jobs that run at least every minute are late after ten minutes, the others after two days. */
const [OFTEN_SECONDS, SELDOM_SECONDS] = [600, 172_800];
const OFTEN = /^(?:sweep|fan out events|dispatch deliveries|seal ledger blocks|reload |run due schedules|aggregate statistics)/;

const START = 'systemctl restart turnpike, and read its log: journalctl -u turnpike';

/** Work that waits in a table. `text` selects the count and the oldest of the rows that were due before ?1. */
const queues = [
  {
    id: 'queue.payments',
    looksAt: 'open payments that have been due for more than ten minutes: the job "sweep" does not run, or acquirers stay silent',
    text: `SELECT COUNT(*) AS count, MIN(due_at) AS oldest FROM payment WHERE state = 'open' AND due_at < ?1 AND ${REAL_TIME}`,
    late: ['payment is overdue', 'payments are overdue'],
  },
  {
    id: 'queue.events',
    looksAt: 'events that have waited for their fan-out for more than ten minutes',
    text: `SELECT COUNT(*) AS count, MIN(created_at) AS oldest FROM outbox WHERE state = 'new' AND created_at < ?1 AND ${REAL_TIME}`,
    late: ['event waits to be fanned out', 'events wait to be fanned out'],
  },
  {
    id: 'queue.deliveries',
    looksAt: 'deliveries to active webhooks that have been due for more than ten minutes',
    text: `SELECT COUNT(*) AS count, MIN(d.ready_at) AS oldest FROM delivery d JOIN webhook w ON w.id = d.webhook_id
      WHERE d.state = 'due' AND w.state = 'active' AND d.ready_at < ?1 AND d.${REAL_TIME}`,
    late: ['delivery is overdue', 'deliveries are overdue'],
  },
] as const;

const queueChecks = queues.map(
  ({ id, looksAt, text, late }): Check => ({
    id,
    looksAt,
    severity: 'warning',
    remedy: START,
    needs: 'schema',
    find: async ({ database, now }) => {
      const [row] = await database.rows<Queue>(text, [now() - LATE_MS]);
      const count = Number(row?.count ?? 0);
      return findings(
        count > 0 && `${counted(count, late[0], late[1])}, the oldest for ${spanText(now() - Number(row?.oldest))}.`,
      );
    },
  }),
);

export const workChecks: readonly Check[] = [
  {
    id: 'gateway.running',
    looksAt: 'whether a gateway answers at HOST and PORT',
    severity: 'note',
    remedy: 'systemctl start turnpike; ignore this where the gateway runs on another machine',
    needs: 'configuration',
    find: async (exam) => {
      if (exam.config.port === 0) return [];
      const answer = await exam.probes.local(localUrl(exam, '/health/live'));
      return findings(answer === null && `No gateway answers at ${localUrl(exam, '')}.`);
    },
  },
  {
    id: 'gateway.ready',
    looksAt: 'what /health/ready of the running gateway reports',
    severity: 'error',
    remedy: 'the sentence names the cause; docs/operations.md, Health',
    needs: 'configuration',
    find: async (exam) => {
      const answer = exam.config.port === 0 ? null : await exam.probes.local(localUrl(exam, '/health/ready'));
      if (answer?.status !== 503) return [];
      const [, problems] = /"problems":\s*\[(.*?)\]/s.exec(answer.body) ?? [];
      return findings(`The gateway is not ready: ${problems ?? 'it is starting or stopping'}.`);
    },
  },
  {
    id: 'gateway.jobs',
    looksAt: 'background jobs that have not succeeded for ten minutes, or for two days where they run seldom',
    severity: 'warning',
    remedy: START,
    needs: 'configuration',
    find: async (exam) => {
      const answer = exam.config.port === 0 ? null : await exam.probes.local(localUrl(exam, '/metrics'));
      if (answer?.status !== 200) return [];
      return [...answer.body.matchAll(JOB_AGE)].flatMap(([, job = '', age = '0']) => {
        const isLate = Number(age) > (OFTEN.test(job) ? OFTEN_SECONDS : SELDOM_SECONDS);
        return findings(isLate && `The job "${job}" has not succeeded for ${spanText(1_000 * Number(age))}.`);
      });
    },
  },
  ...queueChecks,
  {
    id: 'ledger.unsealed',
    looksAt: 'postings that have been in no block of the ledger for more than ten minutes',
    severity: 'warning',
    remedy: START,
    needs: 'schema',
    find: async ({ database, now }) => {
      const unsealedMerchants = ledgerStatements.unsealedMerchants[database.dialect];
      const oldest: number[] = [];
      for (const { id } of await database.rows<{ readonly id: string }>(unsealedMerchants)) {
        const [row] = await database.rows<{ readonly at: string | number | null }>(oldestUnsealed[database.dialect], [id]);
        if (row && row.at !== null && now() - Number(row.at) > LATE_MS) oldest.push(Number(row.at));
      }
      if (oldest.length === 0) return [];
      return findings(
        `Postings of ${counted(oldest.length, 'merchant')} are not sealed, the oldest for ${spanText(now() - Math.min(...oldest))}.`,
      );
    },
  },
];

const oldestUnsealed = {
  sqlite: `SELECT MIN(at) AS at FROM posting
      WHERE merchant_id = ?1 AND ${REAL_TIME} AND n > COALESCE((SELECT MAX(to_n) FROM ledger_block WHERE merchant_id = ?1), 0)`,
  postgres: `SELECT MIN(at) AS at FROM posting WHERE merchant_id = ?1 AND ${REAL_TIME} AND block = 0`,
} as const;

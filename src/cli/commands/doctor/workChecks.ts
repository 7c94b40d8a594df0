import { isIP } from 'node:net';
import { isPublic } from '../../../outbound/address.ts';
import { HOUR_MS, MINUTE_MS } from '../../../spec/time.ts';
import { webhookStatements } from '../../../store/areas/deliveryStatements.ts';
import { ledgerStatements } from '../../../store/areas/ledger.ts';
import { type WebhookRow, webhookOf } from '../../../store/areas/webhooks.ts';
import type { Webhook } from '../../../webhooks/webhook.ts';
import { counted } from '../../output.ts';
import { type Check, type Exam, type Finding, findings, spanText } from './check.ts';

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

const WEBHOOKS_MAX = 25;
const FAILING_MS = HOUR_MS;

const webhooksOf = async ({ database }: Exam): Promise<readonly Webhook[]> =>
  (await database.rows<WebhookRow>(webhookStatements.webhooks)).map(webhookOf);

const nameOf = ({ name, id, url }: Webhook): string => `${name || id} (${new URL(url).host})`;

const targetOf = ({ url }: Webhook) => {
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    isTls: protocol === 'https:',
  };
};

/** Why a webhook's server cannot be called; null: it can, as far as a connection shows. */
async function reachFault(webhook: Webhook, { probes, config }: Exam): Promise<string | null> {
  const { host, port, isTls } = targetOf(webhook);
  const found = isIP(host) === 0 ? await probes.addresses(host).catch(() => null) : [host];
  if (found === null) return `${host} does not resolve`;
  if (config.webhookReach === 'public' && !found.every(isPublic)) return `${host} is not on the internet`;
  if (!isTls) return (await probes.tcp(host, port)) && `${host} does not accept connections`;
  const seen = await probes.tls(host, port);
  return seen.kind === 'trusted'
    ? null
    : `${host} ${seen.kind === 'refused' ? 'has a bad certificate' : 'cannot be reached'}: ${seen.reason}`;
}

async function unreachable(exam: Exam): Promise<readonly Finding[]> {
  const active = (await webhooksOf(exam)).filter(({ state }) => state === 'active').slice(0, WEBHOOKS_MAX);
  const faults = await Promise.all(active.map(async (webhook) => ({ webhook, fault: await reachFault(webhook, exam) })));
  return faults.flatMap(({ webhook, fault }) => findings(fault !== null && `The webhook ${nameOf(webhook)}: ${fault}.`));
}

export const webhookChecks: readonly Check[] = [
  {
    id: 'webhooks.failing',
    looksAt: 'webhooks that have failed for more than an hour, or were paused because of it',
    severity: 'warning',
    remedy: 'npx turnpike webhooks shows the attempts; after the receiver is repaired, send a test from the back office',
    needs: 'schema',
    find: async (exam) =>
      (await webhooksOf(exam)).flatMap((webhook) => {
        const { state, failingSince, why } = webhook;
        const isFailing = state === 'active' && failingSince !== null && exam.now() - failingSince > FAILING_MS;
        return findings(
          isFailing && `The webhook ${nameOf(webhook)} has failed for ${spanText(exam.now() - (failingSince ?? 0))}.`,
          state === 'paused' && `The webhook ${nameOf(webhook)} is paused: ${why ?? 'no reason is stored'}.`,
        );
      }),
  },
  {
    id: 'webhooks.http',
    looksAt: 'webhooks without TLS, in live',
    severity: 'error',
    remedy: 'change the address of the webhook to https in the back office',
    needs: 'schema',
    find: async (exam) =>
      (await webhooksOf(exam)).flatMap((webhook) =>
        findings(
          exam.config.environment === 'live' &&
            webhook.url.startsWith('http:') &&
            `The webhook ${nameOf(webhook)} uses plain http.`,
        ),
      ),
  },
  {
    id: 'webhooks.reach',
    looksAt: 'whether the servers of active webhooks resolve, are allowed, accept connections and have a trusted certificate',
    severity: 'warning',
    remedy: 'correct the name, the firewall or the certificate of the receiver',
    needs: 'schema',
    withinMs: 15_000,
    find: unreachable,
  },
];

import { isIP } from 'node:net';
import { isPublic } from '../../../outbound/address.ts';
import { HOUR_MS } from '../../../spec/time.ts';
import { webhookStatements } from '../../../store/areas/deliveryStatements.ts';
import { type WebhookRow, webhookOf } from '../../../store/areas/webhooks.ts';
import type { Webhook } from '../../../webhooks/webhook.ts';
import { type Check, type Exam, type Finding, findings, spanText } from './check.ts';

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

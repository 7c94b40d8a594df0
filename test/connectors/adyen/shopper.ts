import { request } from 'node:http';
import type { Chance } from '../../simulation/chance.ts';
import { kept } from '../trialShop.ts';
import { threeDSResult } from './native.ts';

/** What a shop sends of its shopper, so that native authentication is possible. */
export const SHOPPER_BROWSER = {
  shopperResultUrl: 'https://shop.example/done',
  'customer.givenName': 'Ann',
  'customer.surname': 'Example',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.language': 'de',
  'customer.browser.screenHeight': '900',
  'customer.browser.screenWidth': '1440',
  'customer.browser.timezone': '-60',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.javaEnabled': 'false',
  'customer.browser.screenColorDepth': '24',
};

type Answered = { readonly status: number; readonly text: string };

function ask(page: string, form: Readonly<Record<string, string>> | null): Promise<Answered> {
  const body = form === null ? '' : new URLSearchParams(form).toString();
  const method = form === null ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const sent = request(page, { method, agent: kept, headers }, (reply) => {
      let text = '';
      reply.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      reply.once('end', () => done({ status: reply.statusCode ?? 0, text }));
    });
    sent.once('error', fail).end(body);
  });
}

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** The step that a page shows; null: it goes on to the shop. */
export function stepIn(html: string): { readonly token: string; readonly subtype: string; readonly of: string } | null {
  const [, data = ''] = /data-component="([^"]*)"/.exec(html) ?? [];
  const [, token = ''] = /name="step" value="([^"]*)"/.exec(html) ?? [];
  if (data === '') return null;
  const parsed = JSON.parse(unescaped(data)) as {
    readonly data: { readonly action: { readonly subtype: string; readonly authorisationToken: string } };
  };
  const { subtype, authorisationToken } = parsed.data.action;
  return { token, subtype, of: authorisationToken };
}

const STEPS_MAX = 12;

/**
 * A shopper on the gateway's page. By chance the issuer refuses, the result is posted twice, in a garbled form first, or on an older page,
 * and some shoppers leave. Without chance everything is done as it should be.
 */
export async function authenticate(page: string, chance: Chance | null): Promise<void> {
  const hits = (part: number): boolean => chance?.hits(part) ?? false;
  let before: string | null = null;
  for (let at = 0; at < STEPS_MAX; at += 1) {
    const { status, text } = await ask(page, null);
    if (status !== 200) throw new Error(`the page answers ${status}`);
    const step = stepIn(text);
    if (step === null || hits(0.05)) return;
    const result = threeDSResult(step.of, hits(0.1) ? 'N' : 'Y');
    if (before !== null && hits(0.1)) await ask(page, { step: before, result });
    if (hits(0.05)) await ask(page, { step: step.token, result: hits(0.5) ? 'AAAA' : '' });
    const posts = Array.from({ length: hits(0.15) ? 2 : 1 }, () => ask(page, { step: step.token, result }));
    await Promise.all(posts);
    before = step.token;
  }
}

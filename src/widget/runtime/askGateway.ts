import type { WidgetSession } from '../../spec/widget.ts';
import type { Texts } from '../texts.ts';
import { sessionAddress, textsAddress } from './addresses.ts';
import type { Given } from './contract.ts';
import { widgetError } from './errors.ts';
import { type Life, pause } from './life.ts';

const TRIES_MAX = 3;
const TRY_MS_MAX = 10_000;
const PAUSE_MS = 400;

/** Whether the same question may be answered the next time. */
const mayPass = (status: number): boolean => status === 429 || status >= 500;

async function ask(life: Life, address: string, early: Given['early']): Promise<Response> {
  const asked = early?.answer(address);
  if (asked) return asked;
  const controller = new AbortController();
  const callOff = life.after(TRY_MS_MAX, () => controller.abort());
  life.onEnd(() => controller.abort());
  try {
    return await fetch(address, { credentials: 'omit', mode: 'cors', signal: controller.signal });
  } finally {
    callOff();
  }
}

/** The answer to a question that may be asked again without harm. Throws a WidgetError when there is none after some tries. */
async function answerTo(life: Life, { early }: Given, address: string): Promise<Response> {
  let because = 'no answer';
  for (let tries = 1; tries <= TRIES_MAX && !life.isOver; tries += 1) {
    if (tries > 1) await pause(life, PAUSE_MS * (tries - 1) ** 2);
    try {
      const response = await ask(life, address, early);
      if (!mayPass(response.status)) return response;
      because = `HTTP ${response.status}`;
    } catch (error) {
      because = (error as Error).message;
    }
  }
  throw widgetError('WidgetError', `${address} could not be read: ${because}`, { event: 'network' });
}

/** What the checkout is about. Throws InvalidCheckoutIdError when there is no such checkout, or no more. */
export async function fetchSession(life: Life, given: Given, locale?: unknown): Promise<WidgetSession> {
  const response = await answerTo(life, given, sessionAddress(given, locale));
  if (response.ok) return (await response.json()) as WidgetSession;
  const said = (await response.json().catch(() => null)) as { readonly result?: { readonly description?: string } } | null;
  const description = said?.result?.description ?? '';
  const message = description.includes('No payment session found')
    ? description
    : `No payment session found for this checkout id. ${description}`;
  throw widgetError('InvalidCheckoutIdError', message.trim());
}

/** The texts of one language; English where that one cannot be had. */
export async function fetchTexts(life: Life, given: Given, language: string): Promise<Texts> {
  const response = await answerTo(life, given, textsAddress(given, language));
  if (response.ok) return (await response.json()) as Texts;
  if (language !== 'en') return fetchTexts(life, given, 'en');
  throw widgetError('WidgetError', `There are no texts: HTTP ${response.status}`, { event: 'texts' });
}

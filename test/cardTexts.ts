import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type AdminEndpointName, adminFields, fieldsOf, takesFile } from '../src/spec/admin/admin.ts';
import { endpoints } from '../src/spec/endpoints.ts';
import { parameters } from '../src/spec/parameters.ts';
import type { Row } from '../src/spec/row.ts';
import type { Store } from '../src/store/store.ts';
import { CARD, createClient, DEMO, type Fields, type Reply } from './http/client.ts';
import { feeFile } from './http/feeFile.ts';
import { startGateway, type TestGateway } from './http/gateway.ts';

/** Card numbers where no card number belongs: in every text of every request, in many forms. Cases are made from the tables. */
export const CHARGED = '4929127482910388';
export const ELSEWHERE = '5441122339784652';
const BATCH = 10;
const OPERATOR = 'operator-of-this-gateway.0123456789';

const groups = (number: string, separator: string): string => number.replace(/(.{4})(?=.)/g, `$1${separator}`);
const separators = ['', ' ', '.', '-', '/', '_', ',', '\u00a0', '\u2013'];
/** How a number may be written; only `separator` and `digits` differ. */
export const forms: readonly (readonly [what: string, write: (number: string) => string])[] = [
  ...separators.map((sign) => [`with ${JSON.stringify(sign)}`, (number: string) => groups(number, sign)] as const),
  ['with mixed signs', (number) => number.replace(/^(.{4})(.{4})(.{4})/, '$1 $2-$3.')],
  ['with a dot after every digit', (number) => [...number].join('.')],
  ['in full-width digits', (number) => [...number].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')],
];

/** What is looked for: every form of both numbers, as bytes of UTF-8 and as JSON or an address would escape them. */
export const needles: readonly string[] = [CHARGED, ELSEWHERE].flatMap((number) =>
  forms.flatMap(([, write]) => {
    const text = write(number);
    return [Buffer.from(text).toString('latin1'), encodeURIComponent(text)];
  }),
);
/** All needles in one pass: a database has a thousand files, and most of them have none. */
const anyNeedle = new RegExp([...new Set(needles)].map((needle) => RegExp.escape(needle)).join('|'));
export const found = (latin1: string): readonly string[] =>
  anyNeedle.test(latin1) ? needles.filter((needle) => latin1.includes(needle)) : [];
const inText = (text: string): readonly string[] => found(Buffer.from(text).toString('latin1'));

export function tainted(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file));
  const whole = files.filter((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
  return whole.flatMap((file) => [...new Set(found(readFileSync(file, 'latin1')))].map((needle) => `${needle} in ${file}`));
}

/** Every parameter that is no secret, by a name that can be sent. */
const names: readonly string[] = (Object.entries(parameters) as [string, Row<unknown>][])
  .filter(([name, { secret }]) => secret === undefined && name !== 'entityId')
  .map(([name]) =>
    name
      .replaceAll('[n]', '[0]')
      .replace(/\[[a-z]+\]/i, '[canary]')
      .replace('[XX-', '[CB-'),
  );

export type Run = {
  readonly gateway: TestGateway;
  readonly answers: string[];
  /** Parameters that a payment was taken with. */
  readonly taken: Set<string>;
  /** Paths that took no request with a number in it. */
  readonly untaken: Set<string>;
};

type Send = (fields: Fields) => Promise<Reply>;
type ParameterError = { readonly name: string; readonly message: string };
/** Requests until all parameters that the gateway refuses are left out. */
const TRIES_MAX = 6;

/** The parameter without an index: a fault of one member is a fault of the whole map or list. */
const wholeOf = (name: string): string => name.replace(/\[.*$/, '[');

/**
 * Sends as many parameters as the gateway accepts: those it refuses are left out of the next request. `refused` has those of an earlier
 * text of the same form: then the whole and what is left of it are two requests.
 */
async function sendAll({ answers, taken }: Run, send: Send, texts: Fields, refused: Set<string>): Promise<Reply> {
  let rest = texts;
  for (let tries = 0; ; tries += 1) {
    const reply = await send(rest);
    answers.push(JSON.stringify(reply.body));
    const faulty: readonly ParameterError[] = reply.body.result?.parameterErrors ?? [];
    if (faulty.length === 0 || tries === TRIES_MAX) {
      if (faulty.length === 0) for (const name of Object.keys(rest)) taken.add(name.replace(/\[.*\]/, '[]'));
      return reply;
    }
    for (const { name, message } of faulty) refused.add(wholeOf(/is required when (\S+) is sent/.exec(message)?.[1] ?? name));
    rest = Object.fromEntries(Object.entries(rest).filter(([name]) => !refused.has(wholeOf(name))));
  }
}

/** One text in every parameter, and in the keys of the maps. */
function everywhere(text: string): Fields {
  const key = text.replace(/[^A-Za-z0-9._]/gu, '');
  const url = (name: string) => /url$/i.test(name);
  const fields = Object.fromEntries(names.map((name) => [name, url(name) ? `https://shop.example/?n=${text}` : text]));
  return {
    ...fields,
    [`customParameters[key.${key}]`]: text,
    [`merchant.data[${key}]`]: 'x',
    [`risk.parameters[${text}]`]: text,
  };
}

const money = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
const card = { ...CARD, 'card.number': CHARGED };

async function sayInForms(run: Run, [, write]: (typeof forms)[number]): Promise<void> {
  const shop = createClient(run.gateway.url, { ...DEMO, entityId: DEMO.lenientId });
  const refusedAt = new Map<string, Set<string>>();
  for (const text of [write(ELSEWHERE), write(CHARGED)]) {
    const texts = everywhere(text);
    /** Sends the text everywhere to a path; its `{id}` is the id of what was made before. */
    const say = async (path: string, fields: Fields, id = ''): Promise<Reply> => {
      const refused = refusedAt.getOrInsertComputed(path, () => new Set());
      const send: Send = (more) => shop.send('POST', path.replace('{id}', id), { ...more, ...fields });
      const reply = await sendAll(run, send, texts, refused);
      if (reply.body.result?.parameterErrors !== undefined) run.untaken.add(path);
      return reply;
    };
    await say('/v1/payments', { ...card, ...money, paymentType: 'PA' });
    const { id } = await shop.pay({ ...card, paymentType: 'PA' });
    await say('/v1/payments/{id}', { ...money, paymentType: 'CP' }, id);
    const checkout = await say('/v1/checkouts', money);
    if (checkout.id) await say('/v1/checkouts/{id}', money, checkout.id);
    const stored = await say('/v1/registrations', card);
    const registrationId = stored.id ?? '';
    if (stored.id) await say('/v1/registrations/{id}/payments', money, stored.id);
    await say('/scheduling/v1/schedules', { ...money, registrationId, 'job.month': '*', 'job.dayOfMonth': '1' });
    await say('/v1/threeDSecure', { ...card, ...money });
    await say('/v1/risk', { ...card, ...money });
  }
  await sayInAddresses(run, write(ELSEWHERE));
}

/** In paths, queries and headers of every endpoint, at both ports. */
async function sayInAddresses({ gateway, answers }: Run, text: string): Promise<void> {
  const written = encodeURIComponent(text);
  const header = text.replace(/[^\x20-\x7e]/g, '.');
  const headers = {
    authorization: `Bearer ${DEMO.token}`,
    'user-agent': header,
    'idempotency-key': header,
    'x-request-id': header,
  };
  const asked = Object.values(endpoints).flatMap((endpoint) => {
    const { method, path, access } = endpoint;
    if ('takes' in endpoint) return [];
    const url = access === 'session' || access === 'signIn' ? gateway.backOfficeUrl : gateway.url;
    const query = `entityId=${DEMO.entityId}&x=${written}&merchantTransactionId=${written}`;
    return [{ method, target: `${url}${path.replace('{id}', written)}?${query}` }];
  });
  for (let at = 0; at < asked.length; at += BATCH) {
    const replies = asked
      .slice(at, at + BATCH)
      .map(({ method, target }) => fetch(target, { method, headers, redirect: 'manual' }));
    for (const reply of await Promise.all(replies)) answers.push(await reply.text());
  }
  answers.push(await (await fetch(`${gateway.url}/${written}`, { headers })).text());
}

/** In every field of every JSON body of the administration API, as far as its kind takes texts. */
async function sayInBodies(run: Run, [, write]: (typeof forms)[number]): Promise<void> {
  const text = write(ELSEWHERE);
  for (const name of Object.keys(adminFields) as AdminEndpointName[]) {
    const { method, path, access } = endpoints[name];
    if (method !== 'POST' || takesFile(name) || access !== 'admin') continue;
    const fields = Object.entries(fieldsOf(name));
    const whole = Object.fromEntries(fields.map(([field, { example }]) => [field, example]));
    const merchants = 'entityId' in whole ? { entityId: DEMO.merchantId } : {};
    const texts = Object.fromEntries(
      fields.map(([field, { kind, isSecret }]) => [field, kind.parse(text) !== undefined && !isSecret]),
    );
    const said = Object.fromEntries(Object.entries(whole).map(([field, value]) => [field, texts[field] ? text : value]));
    for (const body of [
      { ...said, ...merchants },
      { ...whole, ...merchants, [text]: text, deep: { [text]: [text, Number(ELSEWHERE)] } },
    ]) {
      const response = await fetch(`${run.gateway.url}${path.replace('{id}', DEMO.entityId)}`, {
        method,
        headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      run.answers.push(await response.text());
    }
  }
}

/** In the lines of an acquirer's file, and in its name. */
async function sayInFiles(run: Run, [, write]: (typeof forms)[number]): Promise<void> {
  const text = write(ELSEWHERE);
  const cell = /[,;"]/.test(text) ? text.replace(/[,;"]/g, ' ') : text;
  const right = feeFile(3, 0, cell).replaceAll(';Acquirer;', `;${cell};`);
  for (const body of [right, right.replaceAll(';EUR;', `;${cell};`)]) {
    const name = encodeURIComponent(text.replace(/[/\\]/g, ' '));
    const response = await fetch(`${run.gateway.url}/admin/v1/settlements?entityId=${DEMO.merchantId}&name=${name}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${OPERATOR}`, 'content-type': 'text/csv' },
      body,
    });
    run.answers.push(await response.text());
  }
}

/** Where a card number was found: empty when nowhere. */
export type Seen = {
  readonly answers: readonly string[];
  readonly log: readonly string[];
  readonly files: readonly string[];
  readonly taken: number;
  readonly untaken: readonly string[];
};

export async function sayEverywhere(store: Store, folder: string | null, some = forms): Promise<Seen> {
  const gateway = await startGateway({ store, operatorToken: OPERATOR });
  const run: Run = { gateway, answers: [], taken: new Set(), untaken: new Set() };
  try {
    for (const form of some) {
      await sayInForms(run, form);
      await sayInBodies(run, form);
      await sayInFiles(run, form);
    }
    await gateway.settle();
    return {
      answers: inText(run.answers.join('\n')),
      log: inText(gateway.lines.join('\n')),
      files: folder === null ? [] : tainted(folder),
      taken: run.taken.size,
      untaken: [...run.untaken],
    };
  } finally {
    await gateway.close();
  }
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient as generateClient } from '@hey-api/openapi-ts';
import { build } from 'esbuild';
import openapiTS, { astToString } from 'openapi-typescript';
import { withBundler } from '../src/assets/build.ts';
import { openApi } from '../src/spec/openApi/openApi.ts';
import { CARD, DEMO } from './http/client.ts';
import { startGateway } from './http/gateway.ts';

/** Two stock generators make clients of the OpenAPI document. Both compile, and the payments that they make are real. */
const root = join(import.meta.dirname, '..');
mkdirSync(join(root, '.cache'), { recursive: true });
const folder = mkdtempSync(join(root, '.cache', 'generated-'));
const gateway = await startGateway();
after(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true });
});

const document = JSON.parse(JSON.stringify(openApi(gateway.url)));

/** Checks the types of generated files and of a program that uses them, with the compiler's own defaults for strictness. */
function compile(...files: readonly string[]): void {
  const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  const more = ['--moduleResolution', 'bundler', '--lib', 'es2022,dom,dom.iterable', '--types', 'node', '--ignoreConfig'];
  const compiler = join(root, 'node_modules', 'typescript-7', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, ...options, ...more, ...files], { cwd: folder, stdio: 'pipe', encoding: 'utf8' });
}

/** Bundles a program and loads it. */
async function load(name: string): Promise<{ readonly run: (setup: object) => Promise<readonly string[]> }> {
  const outfile = join(folder, `${name}.mjs`);
  await withBundler(() =>
    build({
      entryPoints: [join(folder, `${name}.ts`)],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'node',
      logLevel: 'error',
    }),
  );
  return import(pathToFileURL(outfile).href);
}

const setup = { url: gateway.url, token: DEMO.token, entityId: DEMO.entityId, card: CARD };
const PAID = '000.100.110';
const expected = [`PA ${PAID}`, `CP ${PAID} 40.00`, `RF ${PAID} 10.00`, `PA ${PAID}`];

const PROGRAM_HEAD = `
type Setup = { url: string; token: string; entityId: string; card: Record<string, string> };
type Answer = { paymentType?: string; amount?: string; id?: string; result: { code?: string } } | undefined;
const told = (answer: Answer, isWithAmount = false): string =>
  [answer?.paymentType, answer?.result.code, isWithAmount ? answer?.amount : undefined].filter(Boolean).join(' ');
`;

test('openapi-typescript: the types compile, and a payment is made, captured, refunded and read by them', async () => {
  writeFileSync(join(folder, 'types.ts'), astToString(await openapiTS(document)));
  writeFileSync(
    join(folder, 'typed.ts'),
    `import type { operations } from './types';
${PROGRAM_HEAD}
type Body<Name extends keyof operations> = operations[Name] extends
  { requestBody: { content: { 'application/x-www-form-urlencoded': infer Form } } } ? Form : never;
type Reply<Name extends keyof operations> = operations[Name] extends
  { responses: { 200: { content: { 'application/json': infer Json } } } } ? Json : never;

export async function run({ url, token, entityId, card }: Setup): Promise<string[]> {
  const call = async <Name extends keyof operations>(_: Name, method: string, path: string, form: Body<Name> | null): Promise<Reply<Name>> => {
    const body = form === null ? undefined : new URLSearchParams(form as unknown as Record<string, string>);
    const response = await fetch(url + path, { method, headers: { authorization: 'Bearer ' + token }, body });
    return (await response.json()) as Reply<Name>;
  };
  const money = { entityId, currency: 'EUR' } as const;
  const paid = await call('createPayment', 'POST', '/v1/payments', { ...card, ...money, paymentType: 'PA', amount: '92.00' });
  const captured = await call('capturePayment', 'POST', '/v1/payments/' + paid.id + '/capture', { ...money, amount: '40.00' });
  const refunded = await call('refundPayment', 'POST', '/v1/payments/' + captured.id + '/refund', { ...money, amount: '10.00' });
  const read = await call('readPayment', 'GET', '/v1/payments/' + paid.id + '?entityId=' + entityId, null as never);
  return [told(paid), told(captured, true), told(refunded, true), told(read)];
}
`,
  );
  compile('types.ts', 'typed.ts');
  assert.deepEqual(await (await load('typed')).run(setup), expected);
});

test('@hey-api/openapi-ts: the client compiles, and pays, captures, refunds and reads', async () => {
  await generateClient({ input: document, output: { path: join(folder, 'client') }, logs: { level: 'silent' } });
  writeFileSync(
    join(folder, 'sdk.ts'),
    `import { capturePayment, createPayment, readPayment, refundPayment } from './client';
import { client } from './client/client.gen';
${PROGRAM_HEAD}
export async function run({ url, token, entityId, card }: Setup): Promise<string[]> {
  client.setConfig({ baseUrl: url, auth: token });
  const money = { entityId, currency: 'EUR' } as const;
  const paid = (await createPayment({ body: { ...card, ...money, paymentType: 'PA', amount: '92.00' } })).data;
  const captured = (await capturePayment({ path: { id: paid?.id ?? '' }, body: { ...money, amount: '40.00' } })).data;
  const refunded = (await refundPayment({ path: { id: captured?.id ?? '' }, body: { ...money, amount: '10.00' } })).data;
  const read = (await readPayment({ path: { id: paid?.id ?? '' }, query: { entityId } })).data;
  return [told(paid), told(captured, true), told(refunded, true), told(read)];
}
`,
  );
  compile('client/index.ts', 'sdk.ts');
  assert.deepEqual(await (await load('sdk')).run(setup), expected);
});

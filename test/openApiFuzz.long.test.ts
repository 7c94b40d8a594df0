import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { openApi } from '../src/spec/openApi/openApi.ts';
import type { JsonObject } from '../src/spec/openApi/schemas.ts';
import { DEMO } from './http/client.ts';
import { startGateway } from './http/gateway.ts';
import { sized } from './long.ts';

/**
 * An independent tool, Schemathesis, makes requests of the OpenAPI document, right ones and wrong ones, and holds the answers against it: no
 * status above 499, and none, no type and no body that is not described. Skipped where Python or its packages are not to be had.
 */

const SECONDS = sized({ quick: 60, assure: 180, reliability: 1_800 });
const CONTROL_SECONDS = 20;
const CASES_MIN = 500;
const CHECKS = ['not_a_server_error', 'status_code_conformance', 'content_type_conformance', 'response_schema_conformance'];

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'turnpike-fuzz-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const at = (...names: readonly string[]): string => join(folder, ...names);

const installed = await run('python3', ['-m', 'venv', at('venv')])
  .then(() => run(at('venv/bin/pip'), ['install', '-q', 'schemathesis']))
  .then(() => true)
  .catch(() => false);

/** Classes of characters that only ECMAScript knows. */
const isForeign = (key: string, value: unknown): boolean => key === 'pattern' && /\\p\{/.test(String(value));

/** Without patterns that the tool cannot make texts for. */
const withoutForeign = (document: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(document, (key, value) => (isForeign(key, value) ? undefined : value)));

const isEntity = (key: string, value: unknown): value is JsonObject =>
  key === 'entityId' && typeof value === 'object' && value !== null && !Array.isArray(value);

/** What may be requested, with an entity that is there; answers name others as well. */
const withEntity = (request: unknown): unknown =>
  JSON.parse(
    JSON.stringify(request, (key, value) => {
      const entity = { type: 'string', enum: [DEMO.entityId] };
      return isEntity(key, value) ? entity : value?.name === 'entityId' && value.in ? { ...value, schema: entity } : value;
    }),
  );

function documentFor(url: string): JsonObject {
  const { paths, ...others } = withoutForeign(openApi(url));
  const operation = ([method, { responses, ...asked }]: [string, JsonObject]) => [
    method,
    { ...(withEntity(asked) as JsonObject), responses },
  ];
  const entries = Object.entries(paths as Record<string, Record<string, JsonObject>>);
  return {
    ...others,
    paths: Object.fromEntries(
      entries.map(([path, operations]) => [path, Object.fromEntries(Object.entries(operations).map(operation))]),
    ),
  };
}

type Run = { readonly isGood: boolean; readonly text: string; readonly cases: number };

async function fuzz(url: string, document: JsonObject, phases: string, seconds = SECONDS): Promise<Run> {
  writeFileSync(at('openapi.json'), JSON.stringify(document));
  const words = [
    ...['run', at('openapi.json'), '--url', url, '-H', `Authorization: Bearer ${DEMO.token}`, '--phases', phases],
    ...['--checks', CHECKS.join(','), '--max-time', String(seconds), '--seed', '1', '--continue-on-failure'],
    ...['--no-color', '--warnings', 'off', '--generation-database', 'none'],
  ];
  const options = { cwd: folder, maxBuffer: 100_000_000, timeout: (SECONDS + 300) * 1_000 };
  const { stdout, isGood } = await run(at('venv/bin/schemathesis'), words, options).then(
    (ended) => ({ ...ended, isGood: true }),
    (error: { readonly stdout?: string }) => ({ stdout: error.stdout ?? String(error), isGood: false }),
  );
  return { isGood, text: stdout.slice(-20_000), cases: Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0) };
}

describe('Schemathesis', { skip: !installed && 'no Python, or none of its packages' }, () => {
  for (const phases of ['examples,coverage', 'fuzzing'])
    test(`no answer is a fault of the gateway or differs from the document: ${phases}`, async (context) => {
      const gateway = await startGateway();
      try {
        const { isGood, text, cases } = await fuzz(gateway.url, documentFor(gateway.url), phases);
        context.diagnostic(`${cases} requests in ${SECONDS} s at most`);
        assert.ok(isGood, text);
        assert.ok(cases >= CASES_MIN, `${cases} requests\n${text}`);
      } finally {
        await gateway.close();
      }
    });

  test('control: an answer that is not described is found', async () => {
    const gateway = await startGateway();
    try {
      const paths = { '/v1/resultcodes': { get: { responses: { '200': { description: '', content: { 'text/plain': {} } } } } } };
      const document = { openapi: '3.1.0', info: { title: 'wrong', version: '1' }, paths };
      const { isGood, text } = await fuzz(gateway.url, document, 'fuzzing', CONTROL_SECONDS);
      assert.equal(isGood, false);
      assert.match(text, /Undocumented Content-Type/);
    } finally {
      await gateway.close();
    }
  });
});

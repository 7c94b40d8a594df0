import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { skipWithoutFirefox } from './firefox.ts';

/** Files of this folder once more in Firefox, each in a process of its own with the same assertions: in full, or in their quick form. */
const FILES = {
  'officeAdministration.test.ts': 'long',
  'officeAudit.test.ts': 'long',
  'officeCustomers.test.ts': 'long',
  'officeDashboard.test.ts': 'long',
  'officeDataAge.test.ts': 'long',
  'officeDeveloper.test.ts': 'long',
  'officeFourEyes.test.ts': 'long',
  'officeHostile.test.ts': 'long',
  'officeMandates.test.ts': 'long',
  'officePalette.test.ts': 'long',
  'officePayments.test.ts': 'long',
  'officeRisk.test.ts': 'long',
  'officeRouting.test.ts': 'long',
  'officeSchedules.test.ts': 'long',
  'officeScope.test.ts': 'long',
  'officeSettlement.test.ts': 'long',
  'officeShell.test.ts': 'long',
  'officeStatus.test.ts': 'long',
  'officeWebhooks.test.ts': 'long',
  'paymentLink.test.ts': 'long',
  'officePages.test.ts': 'quick',
  'threeDS.test.ts': 'quick',
  'demo.test.ts': 'quick',
} as const;

const RUN_MS_MAX = 1_800_000;
const skip = await skipWithoutFirefox();

type Ran = { readonly passed: number; readonly failed: readonly string[]; readonly text: string };

function run(file: string, form: 'long' | 'quick'): Promise<Ran> {
  const { NODE_TEST_CONTEXT: _, LONG_TESTS: __, ...rest } = process.env;
  const env = { ...rest, BROWSER_ENGINE: 'firefox', ...(form === 'long' && { LONG_TESTS: 'yes' }) };
  const args = ['--test', '--test-reporter=tap', join(import.meta.dirname, file)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: RUN_MS_MAX, maxBuffer: 1 << 26 }, (_error, text) => {
      const failed = [...text.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name = '']) => name);
      resolve({ passed: Number(/^# pass (\d+)$/m.exec(text)?.[1] ?? 0), failed, text });
    });
  });
}

describe('in Firefox', { skip }, () => {
  for (const [file, form] of Object.entries(FILES))
    test(`${file} passes in Firefox`, async () => {
      const { passed, failed, text } = await run(file, form);
      assert.deepEqual(failed, [], text);
      assert.ok(passed > 0, text);
    });

  test('control: a test that fails in Firefox is found, by its name', async () => {
    const { passed, failed } = await run('firefoxControl.ts', 'long');
    assert.deepEqual([passed, failed], [2, ['in Chromium']]);
  });
});

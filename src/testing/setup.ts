/**
 * `turnpike/testing/setup`: the module that Jest, Vitest and Playwright take as `globalSetup`, and node:test as `--test-global-setup`.
 * Vitest and Playwright call the function that it returns. Jest does not, and need not: the gateway ends with the runner.
 */

import { shareGateway } from './process.ts';

export { shareGateway as default };

function createHooks() {
  let close = async (): Promise<void> => {};
  return {
    async globalSetup(): Promise<void> {
      close = await shareGateway();
    },
    globalTeardown: (): Promise<void> => close(),
  };
}

/** For node:test. */
export const { globalSetup, globalTeardown } = createHooks();

import type { Read } from '../asked.ts';
import type { Directory } from '../directory.ts';
import type { Extension } from '../messages/message.ts';
import { type Setup, sandboxSetup } from '../setup.ts';
import { type Acs, createAcs } from './acs.ts';
import { createDirectoryServer } from './directoryServer.ts';
import { leverExtensions } from './levers.ts';

/** Where the pages of the sandbox's issuers are served. */
export const ACS_PATH = '/sandbox/acs';

/** The access control server as it is reached under one of our own addresses. */
export const acsAt = (origin: string): Acs => createAcs({ url: `${origin}${ACS_PATH}`, origins: [origin] });

export type SandboxThreeDS = {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  extensions(read: Read): readonly Extension[];
  poll(origin: string, acsUrl: string, now: number): unknown;
};

/** The directory servers of the test environment. They remember nothing, so that there may be one for every address. */
export const createSandboxThreeDS = (clock: { now(): number }): SandboxThreeDS => ({
  directory: (origin) => createDirectoryServer({ acs: acsAt(origin), acsUrl: `${origin}${ACS_PATH}`, clock }),
  setup: sandboxSetup,
  extensions: leverExtensions,
  poll: (origin, acsUrl, now) => acsAt(origin).poll(acsUrl, now),
});

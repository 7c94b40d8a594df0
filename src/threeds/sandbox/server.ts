import type { Clock } from '../../spec/time.ts';
import type { Read } from '../asked.ts';
import type { Directory } from '../directory.ts';
import type { Extension } from '../messages/message.ts';
import { type Setup, sandboxSetup } from '../setup.ts';
import { type Acs, createAcs } from './acs.ts';
import { directiveExtensions } from './directives.ts';
import { createDirectoryServer } from './directoryServer.ts';
import { SANDBOX_KEY, unseal } from './seal.ts';
import { type PageState, STATE, TICKET, type Ticket } from './ticket.ts';

/** Where the pages of the sandbox's issuers are served. */
export const ACS_PATH = '/sandbox/acs';

/** The access control server as it is reached under one of our own addresses. */
export const acsAt = (origin: string): Acs => createAcs({ url: `${origin}${ACS_PATH}`, origins: [origin] });

/** The payment whose results an issuer's ticket, or the state of one of his pages, leads to; null when it is neither. */
export function resultsName(ticket: string, state: string): string | null {
  const found = unseal<Ticket>(SANDBOX_KEY, TICKET, ticket) ?? unseal<PageState>(SANDBOX_KEY, STATE, state)?.ticket;
  return found && URL.canParse(found.resultsURL) ? (new URL(found.resultsURL).pathname.split('/').at(-2) ?? null) : null;
}

export type SandboxThreeDS = {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  extensions(read: Read): readonly Extension[];
  poll(origin: string, acsUrl: string, now: number): unknown;
};

/** The directory servers of the test environment. They remember nothing, so that there may be one for every address. */
export function createSandboxThreeDS(clock: Clock): SandboxThreeDS {
  let latest: { readonly origin: string; readonly directory: Directory } | null = null;
  return {
    directory(origin) {
      // Nearly every request comes by the same address.
      if (latest?.origin !== origin) {
        const directory = createDirectoryServer({ acs: acsAt(origin), acsUrl: `${origin}${ACS_PATH}`, clock });
        latest = { origin, directory };
      }
      return latest.directory;
    },
    setup: sandboxSetup,
    extensions: directiveExtensions,
    poll: (origin, acsUrl, now) => acsAt(origin).poll(acsUrl, now),
  };
}

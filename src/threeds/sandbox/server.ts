import type { Clock } from '../../spec/time.ts';
import type { ParameterReader } from '../authenticationRequest.ts';
import type { Directory } from '../directory.ts';
import type { Extension } from '../messages/message.ts';
import { type Setup, sandboxSetup } from '../setup.ts';
import { type Acs, createAcs } from './acs.ts';
import { directiveExtensions } from './directives.ts';
import { createDirectoryServer } from './directoryServer.ts';
import { SANDBOX_KEY, unseal } from './seal.ts';
import { type PageState, STATE, TICKET, type Ticket } from './ticket.ts';

/** The path of the sandbox issuers' pages. */
export const ACS_PATH = '/sandbox/acs';

/** The access control server under one of our origins. */
export const acsAt = (origin: string): Acs => createAcs({ url: `${origin}${ACS_PATH}`, origins: [origin] });

/** The name of the payment that a ticket or a page state belongs to; null when it is neither. */
export function resultsName(ticket: string, state: string): string | null {
  const found = unseal<Ticket>(SANDBOX_KEY, TICKET, ticket) ?? unseal<PageState>(SANDBOX_KEY, STATE, state)?.ticket;
  return found && URL.canParse(found.resultsURL) ? (new URL(found.resultsURL).pathname.split('/').at(-2) ?? null) : null;
}

export type SandboxThreeDS = {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  extensions(read: ParameterReader): readonly Extension[];
  poll(origin: string, acsUrl: string, now: number): unknown;
};

/** The directory servers of the test environment. They are stateless, so that there may be one per origin. */
export function createSandboxThreeDS(clock: Clock): SandboxThreeDS {
  let latest: { readonly origin: string; readonly directory: Directory } | null = null;
  return {
    directory(origin) {
      // Nearly all requests have the same origin.
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

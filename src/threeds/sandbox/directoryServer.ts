import type { Clock } from '../../spec/time.ts';
import type { ParameterReader } from '../authenticationNeed.ts';
import type { Directory } from '../directory.ts';
import type { AReq, ErrorCode, Extension } from '../messages/message.ts';
import { buildErro, readMessage } from '../messages/validate.ts';
import type { NetworkName } from '../networks.ts';
import { type Setup, sandboxSetup } from '../settings.ts';
import { type Acs, createAcs } from './acs.ts';
import { directiveExtensions, directivesIn } from './directives.ts';
import { sandboxEnrolment } from './issuerBehaviour.ts';
import { SANDBOX_KEY, unseal, uuidFrom } from './seal.ts';
import { type PageState, STATE, TICKET, type Ticket } from './ticket.ts';

type DirectoryServerOptions = {
  readonly acs: Pick<Acs, 'authenticate'>;
  readonly acsUrl: string;
  readonly clock: Clock;
  readonly key?: string;
};

const REFERENCE = 'TURNPIKE_SANDBOX_DS_0001';

/** The directory server of every network of the test environment. It is stateless: the same request gets the same answer. */
export function createDirectoryServer({ acs, acsUrl, clock, key = SANDBOX_KEY }: DirectoryServerOptions): Directory {
  return {
    versions: async (enquiry) => sandboxEnrolment(enquiry, acsUrl),
    async authenticate(asked, network) {
      // A round trip through JSON, as on the wire.
      const value: unknown = JSON.parse(JSON.stringify(asked));
      const { message: areq, faults } = readMessage('AReq', value);
      if (faults) return buildErro({ component: 'D', about: value, faults });
      const dsTransID = uuidFrom(key, 'ds', areq.threeDSServerTransID);
      const failure = scriptedFailure(areq, network);
      if (failure !== null) return failure;
      return acs.authenticate({ areq, network, dsTransID, dsReferenceNumber: REFERENCE, now: clock.now() });
    },
  };

  function scriptedFailure(areq: AReq, network: NetworkName): unknown {
    const { directory } = directivesIn(areq);
    if (directory === undefined) return null;
    if (directory === 'down') throw new Error('the directory server does not answer');
    if (directory === 'garbled') return { messageType: 'ARes', messageVersion: areq.messageVersion, transStatus: 'Y' };
    if (directory === 'foreign') return foreignAnswer(areq, network);
    return buildErro({ component: 'D', about: areq, faults: [{ name: 'directive', code: directory as ErrorCode, says: '' }] });
  }

  /** A successful answer to another request. */
  function foreignAnswer(areq: AReq, network: NetworkName): unknown {
    const threeDSServerTransID = uuidFrom(key, 'foreign', areq.threeDSServerTransID);
    const dsTransID = uuidFrom(key, 'ds', threeDSServerTransID);
    const other = { ...areq, threeDSServerTransID };
    return acs.authenticate({ areq: other, network, dsTransID, dsReferenceNumber: REFERENCE, now: clock.now() });
  }
}

/** The path of the sandbox issuers' pages. */
const ACS_PATH = '/sandbox/acs';

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

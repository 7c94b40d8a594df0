import type { Clock } from '../../spec/time.ts';
import type { Directory, Enrolment } from '../directory.ts';
import type { AReq, Extension, RangeData } from '../messages/message.ts';
import { erroOf, type MessageFault, readMessage } from '../messages/validate.ts';
import { isAtLeast } from '../messages/version.ts';
import { type NetworkName, networks } from '../networks.ts';
import { type Setup, unregisteredSetup } from '../setup.ts';
import type { Connection, LiveConnections } from './connection.ts';
import type { Alarm, Post, RangeKeeper } from './ports.ts';
import { createRangeLoader, type RangeLoader } from './rangeLoader.ts';
import type { RangeList } from './ranges.ts';

const AUTHENTICATION_BOUNDS = { answerBytesMax: 1024 * 1024, withinMs: 10_000 } as const;

export type LiveParts = {
  readonly connections: LiveConnections;
  /** The outbound client, with the certificate of one network. */
  readonly poster: (credentials: { readonly cert: string; readonly key: string; readonly ca?: readonly string[] }) => Post;
  readonly clock: Clock;
  readonly ids: { random(): string };
  /** Null: lists are loaded anew with every start. */
  readonly keeper: RangeKeeper | null;
  readonly alarm: Alarm;
};

/** The directory servers of the schemes, as payments need them. */
export type LiveThreeDS = {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  extensions(): readonly Extension[];
  poll(): null;
  /** Loads the lists that are due. Never rejects: for a job, and for the start. */
  refresh(): Promise<void>;
};

type Line = { readonly connection: Connection; readonly post: Post; readonly loader: RangeLoader };

/** The connection to the schemes' directory servers. Levers and polls belong to the test environment: here there are none. */
export function createLiveThreeDS({ connections, poster, ...rest }: LiveParts): LiveThreeDS {
  const lines = new Map<NetworkName, Line>();
  for (const network of Object.keys(networks) as NetworkName[]) {
    const connection = connections.networks[network];
    if (!connection) continue;
    const { certificate, key, ca } = connection;
    const post = poster({ cert: certificate, key, ...(ca !== null && { ca }) });
    lines.set(network, { connection, post, loader: createRangeLoader({ network, connection, post, ...rest }) });
  }
  const directory: Directory = {
    versions: async ({ number, network }) => {
      const line = network === undefined ? null : lines.get(network);
      const asked = network === undefined ? [...lines.values()] : line ? [line] : [];
      return enrolmentIn(
        asked.map(({ loader }) => loader),
        number,
      );
    },
    authenticate: (areq, network) => authenticated(lines.get(network), areq, connections.resultsOrigin),
  };
  return {
    directory: () => directory,
    setup: unregisteredSetup,
    extensions: () => [],
    poll: () => null,
    refresh: async () => {
      await Promise.all([...lines.values()].map(({ loader }) => loader.refresh()));
    },
  };
}

/** A network without a directory server here takes no part; one whose list never came cannot be asked. */
function enrolmentIn(loaders: readonly RangeLoader[], number: string): Enrolment {
  for (const loader of loaders) {
    const found = loader.find(number);
    const list = loader.list();
    if (found && list) return { is: 'enrolled', range: rangeOf(found, list) };
  }
  return loaders.some((loader) => loader.list() === null) ? { is: 'unreachable' } : { is: 'outside' };
}

/** The versions that issuer and directory server both speak. */
function rangeOf(found: RangeData, { from, to }: RangeList) {
  const { acsStartProtocolVersion: start, acsEndProtocolVersion: end, threeDSMethodURL } = found;
  return {
    from: from !== null && isAtLeast(from, start) ? from : start,
    to: to !== null && isAtLeast(end, to) ? to : end,
    methodUrl: threeDSMethodURL ?? null,
  };
}

async function authenticated(line: Line | undefined, asked: AReq, resultsOrigin: string | null): Promise<unknown> {
  if (!line) throw new Error('no directory server is set up for the network');
  const { connection, post } = line;
  const { serverReference, operatorId, url } = connection;
  const areq: AReq = {
    ...asked,
    threeDSServerRefNumber: serverReference,
    ...(operatorId !== null && { threeDSServerOperatorID: operatorId }),
    ...(resultsOrigin !== null && { threeDSServerURL: `${resultsOrigin}${new URL(asked.threeDSServerURL).pathname}` }),
  };
  const { faults } = readMessage('AReq', areq);
  if (faults) return erroOf({ component: 'S', about: areq, faults: blamed(faults) });
  const { status, json } = await post(url, areq, AUTHENTICATION_BOUNDS);
  // Errors of the protocol are told with other statuses too; everything else counts only when it was meant as an answer.
  if (status !== 200 && !readMessage('Erro', json).message) throw new Error(`answered with status ${status}`);
  return json;
}

/** Elements that come from the setup of the channel. */
const ofSetup = ['threeDSRequestorID', 'threeDSRequestorName', 'threeDSRequestorURL', 'acquirerBIN', 'acquirerMerchantID'];
const ofMerchant = ['mcc', 'merchantCountryCode', 'merchantName'];

type Faults = readonly [MessageFault, ...MessageFault[]];

/** A request with a fault does not leave the house. Where the setup of the channel is to blame, that is what is told. */
function blamed(faults: Faults): Faults {
  const missing = faults.find(({ name }) => ofSetup.includes(name) || ofMerchant.includes(name));
  return missing ? [{ ...missing, code: '306' }] : faults;
}

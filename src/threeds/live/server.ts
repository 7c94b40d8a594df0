import type { Clock } from '../../spec/time.ts';
import type { Directory, Enrolment } from '../directory.ts';
import { type AReq, type Extension, isAtLeast, type RangeData } from '../messages/message.ts';
import { buildErro, type MessageFault, readMessage } from '../messages/validate.ts';
import { type NetworkName, networks } from '../networks.ts';
import { type Setup, unregisteredSetup } from '../settings.ts';
import type { Connection, LiveConnections } from './connection.ts';
import { type Alarm, createRangeLoader, type Post, type RangeList, type RangeLoader, type RangeStore } from './rangeLoader.ts';

const AUTHENTICATION_BOUNDS = { answerBytesMax: 1024 * 1024, withinMs: 10_000 } as const;

export type LiveOptions = {
  readonly connections: LiveConnections;
  /** The outbound client, with the certificate of one network. */
  readonly poster: (credentials: { readonly cert: string; readonly key: string; readonly ca?: readonly string[] }) => Post;
  readonly clock: Clock;
  readonly ids: { random(): string };
  /** Null: lists are loaded again with every start. */
  readonly rangeStore: RangeStore | null;
  readonly alarm: Alarm;
};

/** The port of payments to the schemes' directory servers. */
export type LiveThreeDS = {
  directory(origin: string): Directory;
  setup(channelName: string, origin: string): Setup;
  extensions(): readonly Extension[];
  poll(): null;
  /** Loads the lists that are due. Never rejects. */
  refresh(): Promise<void>;
};

type NetworkLink = { readonly connection: Connection; readonly post: Post; readonly loader: RangeLoader };

/** The connection to the schemes' directory servers. Directives and polling exist only in the test environment. */
export function createLiveThreeDS({ connections, poster, ...rest }: LiveOptions): LiveThreeDS {
  const lines = new Map<NetworkName, NetworkLink>();
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
    authenticate: (areq, network) => sendAReq(lines.get(network), areq, connections.resultsOrigin),
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

/** Cards of a network without a directory server are outside; a network whose list was never loaded is unreachable. */
function enrolmentIn(loaders: readonly RangeLoader[], number: string): Enrolment {
  for (const loader of loaders) {
    const found = loader.find(number);
    const list = loader.list();
    if (found && list) return { is: 'enrolled', range: rangeOf(found, list) };
  }
  return loaders.some((loader) => loader.list() === null) ? { is: 'unreachable' } : { is: 'outside' };
}

/** The versions that issuer and directory server both support. */
function rangeOf(found: RangeData, { from, to }: RangeList) {
  const { acsStartProtocolVersion: start, acsEndProtocolVersion: end, threeDSMethodURL } = found;
  return {
    from: from !== null && isAtLeast(from, start) ? from : start,
    to: to !== null && isAtLeast(end, to) ? to : end,
    methodUrl: threeDSMethodURL ?? null,
  };
}

async function sendAReq(line: NetworkLink | undefined, asked: AReq, resultsOrigin: string | null): Promise<unknown> {
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
  if (faults) return buildErro({ component: 'S', about: areq, faults: blameSetup(faults) });
  const { status, json } = await post(url, areq, AUTHENTICATION_BOUNDS);
  // Error messages may come with another status; any other message must come with 200.
  if (status !== 200 && !readMessage('Erro', json).message) throw new Error(`answered with status ${status}`);
  return json;
}

/** Elements from the setup of the channel. */
const ofSetup = ['threeDSRequestorID', 'threeDSRequestorName', 'threeDSRequestorURL', 'acquirerBIN', 'acquirerMerchantID'];
const ofMerchant = ['mcc', 'merchantCountryCode', 'merchantName'];

type Faults = readonly [MessageFault, ...MessageFault[]];

/** An invalid request is not sent. When the channel's setup is the cause, the error says so. */
function blameSetup(faults: Faults): Faults {
  const missing = faults.find(({ name }) => ofSetup.includes(name) || ofMerchant.includes(name));
  return missing ? [{ ...missing, code: '306' }] : faults;
}

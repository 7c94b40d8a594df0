import type { Clock } from '../../spec/time.ts';
import type { Directory } from '../directory.ts';
import type { AReq, ErrorCode } from '../messages/message.ts';
import { buildErro, readMessage } from '../messages/validate.ts';
import type { NetworkName } from '../networks.ts';
import type { Acs } from './acs.ts';
import { directivesIn } from './directives.ts';
import { sandboxEnrolment } from './issuerBehaviour.ts';
import { SANDBOX_KEY, uuidFrom } from './seal.ts';

export type DirectoryServerOptions = {
  readonly acs: Pick<Acs, 'authenticate'>;
  readonly acsUrl: string;
  readonly clock: Clock;
  readonly key?: string;
};

const REFERENCE = 'TURNPIKE_SANDBOX_DS_0001';

/** The directory server of every network of the test environment. It is stateless: the same request gets the same answer. */
export function createDirectoryServer({ acs, acsUrl, clock, key = SANDBOX_KEY }: DirectoryServerOptions): Directory {
  return {
    versions: (enquiry) => sandboxEnrolment(enquiry, acsUrl),
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

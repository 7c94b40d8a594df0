import { type Authentication, areResultsOf, next } from './authentication.ts';
import type { Erro, RReq, RRes } from './messages/message.ts';
import { buildErro, type MessageFault, readMessage } from './messages/validate.ts';

export type ResultsAnswer = { readonly authentication: Authentication; readonly reply: RRes | Erro };

const erro = (about: unknown, name: string, code: MessageFault['code']): Erro =>
  buildErro({ component: 'S', about, faults: [{ name, code, says: '' }] });

/** The answer to results of an unknown authentication. */
export const unknownResults = (value: unknown): Erro => {
  const { faults } = readMessage('RReq', value);
  return faults ? buildErro({ component: 'S', about: value, faults }) : erro(value, 'threeDSServerTransID', '301');
};

/** The answer to results of an unauthorised sender. */
export const deniedResults = (value: unknown): Erro => erro(value, 'certificate', '303');

/**
 * Applies the results of a challenge: returns the new state, and the reply to send once that state is committed. Repeated equal results get
 * the same reply; different or late results change nothing.
 */
export function answerResults(authentication: Authentication, value: unknown, now: number): ResultsAnswer {
  const same = (reply: RRes | Erro): ResultsAnswer => ({ authentication, reply });
  const { message: rreq, faults } = readMessage('RReq', value, { messageCategory: authentication.parameters.messageCategory });
  if (faults) return same(buildErro({ component: 'S', about: value, faults }));
  if (!areResultsOf(rreq, authentication)) return same(erro(rreq, mismatchedId(rreq, authentication), '301'));
  const { phase, hasResults } = authentication;
  if (phase.at === 'done') {
    if (!hasResults) return same(erro(rreq, 'threeDSServerTransID', '402'));
    const isSame =
      phase.outcome.transStatus === rreq.transStatus &&
      (phase.outcome.authenticationValue === null || phase.outcome.authenticationValue === (rreq.authenticationValue ?? null));
    return same(isSame ? receipt(rreq) : erro(rreq, 'transStatus', '305'));
  }
  const moved = next(authentication, { is: 'results', rreq }, now);
  return moved === authentication
    ? same(erro(rreq, 'threeDSServerTransID', '301'))
    : { authentication: moved, reply: receipt(rreq) };
}

/** The first element that differs from the authentication. */
function mismatchedId(rreq: RReq, { threeDSServerTransID, acsTransID, dsTransID, version }: Authentication): string {
  if (rreq.threeDSServerTransID !== threeDSServerTransID) return 'threeDSServerTransID';
  if (rreq.acsTransID !== acsTransID) return 'acsTransID';
  if (rreq.dsTransID !== dsTransID) return 'dsTransID';
  return rreq.messageVersion === version ? 'messageCategory' : 'messageVersion';
}

const receipt = ({ messageVersion, threeDSServerTransID, acsTransID, dsTransID }: RReq): RRes => ({
  messageType: 'RRes',
  messageVersion,
  threeDSServerTransID,
  acsTransID,
  dsTransID,
  resultsStatus: '01',
});

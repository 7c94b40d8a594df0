import { type Authentication, areOf, next } from './authentication.ts';
import type { Erro, RReq, RRes } from './messages/message.ts';
import { erroOf, type MessageFault, readMessage } from './messages/validate.ts';

export type ResultsAnswer = { readonly authentication: Authentication; readonly reply: RRes | Erro };

const erro = (about: unknown, name: string, code: MessageFault['code']): Erro =>
  erroOf({ component: 'S', about, faults: [{ name, code, says: '' }] });

/** Results that came for an authentication nobody knows. */
export const unknownResults = (value: unknown): Erro => {
  const { faults } = readMessage('RReq', value);
  return faults ? erroOf({ component: 'S', about: value, faults }) : erro(value, 'threeDSServerTransID', '301');
};

/** Results from somebody who may not send them. */
export const deniedResults = (value: unknown): Erro => erro(value, 'certificate', '303');

/**
 * What a directory server sends about a challenge: the new state, and the answer to send once that state is kept. The same
 * results twice are answered alike; other results, or results after the time was over, change nothing.
 */
export function answerResults(authentication: Authentication, value: unknown, now: number): ResultsAnswer {
  const same = (reply: RRes | Erro): ResultsAnswer => ({ authentication, reply });
  const { message: rreq, faults } = readMessage('RReq', value, { messageCategory: authentication.plan.messageCategory });
  if (faults) return same(erroOf({ component: 'S', about: value, faults }));
  if (!areOf(rreq, authentication)) return same(erro(rreq, strangeName(rreq, authentication), '301'));
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

/** The first id that is of another authentication. */
function strangeName(rreq: RReq, { threeDSServerTransID, acsTransID, dsTransID, version }: Authentication): string {
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

import { type Authentication, next } from '../authentication.ts';
import type { AuthenticationRequest } from '../authenticationRequest.ts';
import { areqFor } from '../buildAReq.ts';
import { type Directory, requestAuthentication } from '../directory.ts';
import { exampleCard, exampleParts, NOW, ORIGIN, parametersFor, TRANS_ID } from '../examples.ts';
import type { AReq, Erro, RRes } from '../messages/message.ts';
import { prepare } from '../prepare.ts';
import { answerResults } from '../results.ts';
import { challengeForm, returnEvent } from '../shopper.ts';
import { type Acs, createAcs } from './acs.ts';
import type { Delivery, Step } from './challenge.ts';
import { directiveExtensions } from './directives.ts';
import { createDirectoryServer } from './directoryServer.ts';

/** For tests: a complete authentication flow. */

export const ACS_URL = `${ORIGIN}/sandbox/acs`;
export const acs: Acs = createAcs({ url: ACS_URL });
export const directory: Directory = createDirectoryServer({ acs, acsUrl: ACS_URL, clock: { now: () => NOW } });

/** Runs the flow up to the answer of the directory server. */
export async function authenticateUpToAnswer(
  request: AuthenticationRequest,
  number: string,
): Promise<{ readonly authentication: Authentication; readonly areq: AReq }> {
  const parameters = parametersFor(request);
  const enrolment = await directory.versions({ number, read: request.read });
  const prepared = prepare(request, { parameters, enrolment, threeDSServerTransID: TRANS_ID, decoupledMinutes: 60, now: NOW });
  if (prepared.is !== 'begun') throw new Error(JSON.stringify(prepared));
  const methodDone = { is: 'methodDone', threeDSServerTransID: TRANS_ID } as const;
  const authentication = next(prepared.authentication, methodDone, NOW);
  const areq = areqFor(authentication, {
    ...exampleParts(request, { parameters, card: exampleCard(number) }),
    extensions: directiveExtensions(request.read),
  });
  return {
    authentication: next(authentication, await requestAuthentication(directory, { areq, network: parameters.network }), NOW),
    areq,
  };
}

/** The hidden fields of a page's forms. */
export function fieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value.replaceAll('&amp;', '&')]));
}

export const ticketIn = (url: string): string => new URL(url).searchParams.get('ticket') ?? '';

/** Opens the challenge at the issuer. */
export function arrive(authentication: Authentication, now = NOW): Step {
  const form = challengeForm(authentication, 'session');
  if (form === null) throw new Error('no challenge');
  const posted = Object.fromEntries(form.parameters.map(({ name, value }) => [name, value]));
  return acs.open(ticketIn(form.url), posted, now);
}

export const codeIn = ({ page }: Step): string => /class="code">([0-9]{6})</.exec(page.html)?.[1] ?? '';

/** Presses a button of the page. */
export const press = (step: Step, action: string, { code = '', now = NOW }: { code?: string; now?: number } = {}): Step =>
  acs.act({ state: fieldsIn(step.page.html).state, action, code }, now);

export type FlowResult = { readonly authentication: Authentication; readonly replies: readonly (RRes | Erro)[] };

/** Finishes the flow: delivers the results and the shopper's return. */
export function finishFlow(authentication: Authentication, step: Step, now = NOW): FlowResult {
  const replies: (RRes | Erro)[] = [];
  let state = authentication;
  const deliver = (when: Delivery['when']): void => {
    for (const { rreq } of step.sends.filter((delivery) => delivery.when === when)) {
      const answer = answerResults(state, rreq, now);
      replies.push(answer.reply);
      state = answer.authentication;
    }
  };
  deliver('before');
  const fields = fieldsIn(step.page.html);
  if (fields.cres !== undefined) state = next(state, returnEvent(fields.cres), now);
  deliver('after');
  return { authentication: state, replies };
}

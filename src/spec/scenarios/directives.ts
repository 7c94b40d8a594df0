import { type AcquirerAct, type Acts, type BankAct, msOf, type ThreeDSAct } from './language.ts';
import { answerTo, type Played } from './played.ts';

/** A scenario stands on the single parameters that the simulators know: this is what each act says in them. */
export type SimulatorDirectives = Readonly<Record<string, string>>;

const NO_CODE = '800.100.151';
const PENDING = '000.200.000';

const entries = (members: Readonly<Record<string, string | undefined>>): SimulatorDirectives =>
  Object.fromEntries(
    Object.entries(members).flatMap(([name, text]) => (text === undefined ? [] : [[`customParameters[${name}]`, text]])),
  );

function codeOf({ says, code = NO_CODE, unless }: AcquirerAct): string | undefined {
  return says === 'declined' && unless === undefined ? code : undefined;
}

/** An answer of the acquirer. */
export function answerDirectives(act: AcquirerAct): SimulatorDirectives {
  const { says, code, advice, unless, avs, cvv, takes, goes, for: time } = act;
  const isPending = says === 'pending';
  return entries({
    forceResultCode: isPending ? PENDING : says === 'approved' ? code : codeOf(act),
    SIMULATOR_then: isPending ? code : undefined,
    SIMULATOR_unauthenticated: unless === undefined ? undefined : (code ?? NO_CODE),
    SIMULATOR_advice: advice,
    SIMULATOR_avs: avs,
    SIMULATOR_cvv: cvv,
    SIMULATOR_latency: takes === undefined ? undefined : String(msOf(takes) ?? 0),
    SIMULATOR_answer: goes,
    SIMULATOR_for: time,
  });
}

const bankDirectives = ({ shopper, after, confirms, late }: BankAct): SimulatorDirectives =>
  entries({
    SIMULATOR_shopper: shopper,
    SIMULATOR_shopperAfter: after,
    SIMULATOR_confirm: confirms,
    SIMULATOR_confirmAfter: late,
  });

const threeDSDirectives = ({ enrolled, flow, status, reason, page, directory, results }: ThreeDSAct): SimulatorDirectives =>
  entries({
    '3DS2_enrolled': enrolled === undefined ? undefined : String(enrolled),
    '3DS2_flow': flow,
    SIMULATOR_3dsStatus: status,
    SIMULATOR_3dsReason: reason,
    SIMULATOR_3dsPage: page,
    SIMULATOR_3dsDirectory: directory,
    SIMULATOR_3dsResults: results,
  });

/** Everything that a payment says to the simulators when it plays a scenario. */
export function directivesFor(played: Played): SimulatorDirectives {
  const answer = answerTo(played);
  const { bank, threeDS } = played.acts;
  return {
    ...(answer && answerDirectives(answer)),
    ...(bank && bankDirectives(bank)),
    ...(threeDS && threeDSDirectives(threeDS)),
  };
}

/** The simulated answer of a webhook, which is not called; `status` null: no answer. */
export type ReceiverSays = { readonly status: number | null; readonly retryAfter: string | null; readonly isLate: boolean };

/** The simulated answer of a webhook to an event that happened so many milliseconds ago; null: the webhook is called. */
export function receiverSays({ receiver = [] }: Acts, sinceMs: number): ReceiverSays | null {
  let until = 0;
  for (const { answers, for: time, retryAfter } of receiver) {
    until += msOf(time) ?? 0;
    if (sinceMs >= until) continue;
    const status = /^[0-9]/.test(answers) ? Number.parseInt(answers, 10) : null;
    const seconds = retryAfter === undefined ? null : String(Math.ceil((msOf(retryAfter) ?? 0) / 1000));
    return { status, retryAfter: seconds, isLate: answers === 'late' };
  }
  return null;
}

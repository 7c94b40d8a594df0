import type { ParameterReader } from '../authenticationNeed.ts';
import type { AReq, Extension } from '../messages/message.ts';

type Directive = {
  readonly parameter: string;
  /** The allowed values, in words and as a regular expression. */
  readonly takes: string;
  readonly pattern: RegExp;
  readonly effect: string;
};

/** Parameters that direct the directory server and the issuers of the test environment. */
export const directives = {
  enrolled: {
    parameter: 'customParameters[3DS2_enrolled]',
    takes: 'true or false',
    pattern: /^(?:true|false)$/,
    effect:
      'true: every card is authenticated, without a challenge unless something else asks for it. false: no issuer knows it.',
  },
  flow: {
    parameter: 'customParameters[3DS2_flow]',
    takes: 'challenge or frictionless',
    pattern: /^(?:challenge|frictionless)$/,
    effect: 'Whether an enrolled card is challenged. It then succeeds, unless SIMULATOR_3dsStatus says otherwise.',
  },
  status: {
    parameter: 'customParameters[SIMULATOR_3dsStatus]',
    takes: 'Y, A, N, U, R or I',
    pattern: /^[YANURI]$/,
    effect:
      'The transStatus at the end: immediately, or after the right code or the confirmation where the shopper is challenged.',
  },
  reason: {
    parameter: 'customParameters[SIMULATOR_3dsReason]',
    takes: 'two digits, 01 to 26',
    pattern: /^(?:0[1-9]|1[0-9]|2[0-6])$/,
    effect: 'The transStatusReason of N, U and R: 03 device, 11 fraud, 13 not enrolled, 14 timed out.',
  },
  page: {
    parameter: 'customParameters[SIMULATOR_3dsPage]',
    takes: 'code or app',
    pattern: /^(?:code|app)$/,
    effect: 'How the challenge is made: a one-time code, which the page shows, or a confirmation in the app of the bank.',
  },
  version: {
    parameter: 'customParameters[SIMULATOR_3dsVersion]',
    takes: '2.1.0 or 2.2.0',
    pattern: /^2\.[12]\.0$/,
    effect: 'The newest version that the issuer speaks.',
  },
  method: {
    parameter: 'customParameters[SIMULATOR_3dsMethod]',
    takes: 'none, done or silent',
    pattern: /^(?:none|done|silent)$/,
    effect: 'The hidden frame: there is none; it tells that it is done; it never does.',
  },
  directory: {
    parameter: 'customParameters[SIMULATOR_3dsDirectory]',
    takes: 'down, garbled, foreign, or an error code of the protocol',
    pattern: /^(?:down|garbled|foreign|10[1-3]|20[1-4]|30[1-7]|40[2-5])$/,
    effect:
      'The directory server: does not answer; answers with no message; with the answer to another request; with that error.',
  },
  results: {
    parameter: 'customParameters[SIMULATOR_3dsResults]',
    takes: 'lost, after, twice or foreign',
    pattern: /^(?:lost|after|twice|foreign)$/,
    effect: 'The results request: never comes; comes after the shopper is back; comes twice; has an id of another challenge.',
  },
  return: {
    parameter: 'customParameters[SIMULATOR_3dsReturn]',
    takes: 'lost, foreign, forged or garbled',
    pattern: /^(?:lost|foreign|forged|garbled)$/,
    effect: 'The shopper: does not come back; brings ids of another challenge; brings a yes whatever happened; brings nonsense.',
  },
  decides: {
    parameter: 'customParameters[SIMULATOR_3dsDecides]',
    takes: 'seconds, 0 to 604800',
    pattern: /^(?:[1-5]?[0-9]{1,5}|60[0-3][0-9]{3}|604[0-7][0-9]{2}|604800)$/,
    effect: 'When the cardholder decides who is asked apart from the checkout. Without it: after 10 seconds.',
  },
} as const satisfies Record<string, Directive>;

export type SandboxDirectives = { readonly [Name in keyof typeof directives]?: string };

const names = Object.keys(directives) as (keyof typeof directives)[];
const directiveList = names.map((name): Directive & { readonly name: typeof name } => ({ name, ...directives[name] }));

/** The directives of a request, and the first parameter with an invalid value. */
export function directivesFor(read: ParameterReader): { readonly given: SandboxDirectives; readonly wrong: string | null } {
  const given: { -readonly [Name in keyof SandboxDirectives]: SandboxDirectives[Name] } = {};
  let wrong: string | null = null;
  for (const { name, parameter, pattern } of directiveList) {
    const text = read(parameter);
    if (!text) continue;
    given[name] = text;
    if (!pattern.test(text)) wrong ??= parameter;
  }
  return { given, wrong };
}

const EXTENSION_ID = 'turnpike-sandbox';

/** Directives as an extension of the AReq. Add it only for the directory server of the sandbox. */
export function directiveExtensions(read: ParameterReader): readonly Extension[] {
  const { given, wrong } = directivesFor(read);
  if (wrong !== null || Object.keys(given).length === 0) return [];
  return [{ name: EXTENSION_ID, id: EXTENSION_ID, criticalityIndicator: false, data: given }];
}

/** The directives in a received AReq. */
export function directivesIn({ messageExtension = [] }: Pick<AReq, 'messageExtension'>): SandboxDirectives {
  const data = messageExtension.find(({ id }) => id === EXTENSION_ID)?.data ?? {};
  return directivesFor((parameter) => {
    const name = directiveList.find((directive) => directive.parameter === parameter)?.name ?? '';
    const text = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof text === 'string' ? text : undefined;
  }).given;
}

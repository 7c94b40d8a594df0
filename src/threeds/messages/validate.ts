import { isRecord } from '../../runtime/json.ts';
import {
  type AReq,
  type ARes,
  type CReq,
  type CRes,
  type Erro,
  type ErrorCode,
  errorCodes,
  isAtLeast,
  isVersion,
  type MessageType,
  type PReq,
  type PRes,
  type RReq,
  type RRes,
  type Version,
} from './message.ts';
import { challengeRules, type Loose, proofRule, type Rule, reasonRule, rules } from './rules.ts';

/** A fault of a message. */
export type MessageFault = { readonly name: string; readonly code: ErrorCode; readonly says: string };

type Messages = {
  readonly AReq: AReq;
  readonly ARes: ARes;
  readonly CReq: CReq;
  readonly CRes: CRes;
  readonly PReq: PReq;
  readonly PRes: PRes;
  readonly RReq: RReq;
  readonly RRes: RRes;
  readonly Erro: Erro;
};

export type ParsedMessage<Type extends MessageType> =
  | { readonly message: Messages[Type]; readonly faults: null }
  | { readonly message: null; readonly faults: readonly [MessageFault, ...MessageFault[]] };

/** Elements of the request that its answer does not repeat. */
export type ReadContext = { readonly messageCategory?: '01' | '02'; readonly deviceChannel?: '01' | '02' | '03' };

/** Validates a value as a message of the given type; unknown elements are tolerated, everything else is checked. */
export function readMessage<Type extends MessageType>(
  type: Type,
  value: unknown,
  context: ReadContext = {},
): ParsedMessage<Type> {
  const [first, ...others] = faultsOf(type, value, context);
  if (first) return { message: null, faults: [first, ...others] };
  return { message: value as Messages[Type], faults: null };
}

/** Every fault of a message, in the order of its table. */
export function faultsOf(type: MessageType, value: unknown, context: ReadContext = {}): readonly MessageFault[] {
  if (!isRecord(value) || !Object.hasOwn(value, 'messageType') || value.messageType !== type) {
    return [{ name: 'messageType', code: '101', says: `must be ${type}` }];
  }
  const version = Object.hasOwn(value, 'messageVersion') ? value.messageVersion : undefined;
  if (version === undefined) return [{ name: 'messageVersion', code: '201', says: 'is missing' }];
  if (!isVersion(version)) return [{ name: 'messageVersion', code: '102', says: 'is not supported' }];
  const known = [...rules[type], ...conditional(type, value, context)];
  return [...criticalFaults(value), ...known.flatMap((rule) => faultOf(rule, value, version))];
}

/** Rules for elements whose presence depends on the category of the authentication. */
function conditional(type: MessageType, value: Loose, { messageCategory, deviceChannel }: ReadContext): readonly Rule[] {
  if (type !== 'ARes' && type !== 'RReq') return [];
  const isPayment = (messageCategory ?? value.messageCategory ?? '01') === '01';
  const optional = (rule: Rule): Rule => ({ ...rule, needs: () => false });
  const ofCategory = isPayment ? [proofRule, reasonRule] : [optional(proofRule)];
  return type === 'ARes' && deviceChannel !== undefined ? [...ofCategory, ...challengeRules[deviceChannel]] : ofCategory;
}

function faultOf({ name, check, needs, since }: Rule, message: Loose, version: Version): readonly MessageFault[] {
  // An element that is newer than the message's version is tolerated like any unknown one.
  if (since !== undefined && !isAtLeast(version, since)) return [];
  const value = elementOf(message, name);
  if (value === undefined) return needs(message) ? [{ name, code: '201', says: 'is missing' }] : [];
  return check.fits(value, version) ? [] : [{ name, code: check.code ?? '203', says: `must be ${check.says}` }];
}

/** An own element, by the path to it. */
function elementOf(message: Loose, path: string): unknown {
  let value: unknown = message;
  for (const step of path.split('.')) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** A critical extension must not be ignored, and none is supported here. */
function criticalFaults({ messageExtension }: Loose): readonly MessageFault[] {
  if (!Array.isArray(messageExtension)) return [];
  return messageExtension
    .filter((item) => isRecord(item) && item.criticalityIndicator === true)
    .map((item) => ({ name: 'messageExtension', code: '202', says: `has a critical one, ${String(item.id)}` }));
}

type ErrorContext = {
  readonly component: Erro['errorComponent'];
  readonly about: unknown;
  readonly faults: readonly [MessageFault, ...MessageFault[]];
};

/** The error message for an invalid message: the first fault gives the code, and all faults of that code are named. */
export function buildErro({ component, about, faults }: ErrorContext): Erro {
  const [{ code }] = faults;
  const loose = isRecord(about) ? about : {};
  const id = (name: 'threeDSServerTransID' | 'acsTransID' | 'dsTransID'): Record<string, string> => {
    const value = loose[name];
    return typeof value === 'string' && /^[0-9a-f-]{36}$/i.test(value) ? { [name]: value } : {};
  };
  const names = faults.filter((fault) => fault.code === code).map(({ name }) => name);
  const type = loose.messageType;
  return {
    messageType: 'Erro',
    messageVersion: isVersion(loose.messageVersion) ? loose.messageVersion : '2.2.0',
    ...id('threeDSServerTransID'),
    ...id('acsTransID'),
    ...id('dsTransID'),
    errorCode: code,
    errorComponent: component,
    errorDescription: errorCodes[code],
    errorDetail: names.join(',').slice(0, 2048),
    ...(typeof type === 'string' && type !== 'Erro' && Object.hasOwn(rules, type) && { errorMessageType: type as MessageType }),
  };
}

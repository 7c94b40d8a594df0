/** Outcomes for which a merchant may choose: after them a payment may continue without full authentication. */
export const policyChoices = {
  attempted: { says: 'the issuer could not take part and vouches all the same', otherwise: 'continue' },
  informational: { says: 'the issuer was informed and asked for nothing', otherwise: 'continue' },
  notEnrolled: { says: 'the cardholder is not enrolled', otherwise: 'continue' },
  notParticipating: { says: 'no issuer that takes part knows the card', otherwise: 'continue' },
  unavailable: { says: 'the issuer cannot authenticate at the moment', otherwise: 'stop' },
  unsupportedDevice: { says: "the shopper's device cannot be used", otherwise: 'stop' },
  unreachable: { says: 'the directory server does not answer', otherwise: 'stop' },
  technical: { says: 'the authentication system has an error', otherwise: 'stop' },
} as const satisfies Record<string, { readonly says: string; readonly otherwise: 'continue' | 'stop' }>;

export type PolicyChoice = keyof typeof policyChoices;

/** The merchant's choices. */
export type Policy = Readonly<Record<PolicyChoice, 'continue' | 'stop'>>;

export const defaultPolicy = Object.fromEntries(
  Object.entries(policyChoices).map(([name, { otherwise }]) => [name, otherwise]),
) as Policy;

export const isPolicyChoice = (name: string): name is PolicyChoice => Object.hasOwn(policyChoices, name);

/** The faults of the setting, a sentence each; empty when it is valid. */
export function policyFaults(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return ['the setting must be an object'];
  return Object.entries(value).flatMap(([name, choice]) => {
    if (!isPolicyChoice(name)) return [`"${name}" cannot be decided about`];
    return choice === 'continue' || choice === 'stop' ? [] : [`"${name}" must be continue or stop`];
  });
}

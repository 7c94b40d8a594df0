import type { Rule } from './rule.ts';

/** Document 3, 3D Secure. */
export const threeDSecure: readonly Rule[] = [
  {
    title: 'threeDSecure.amount and threeDSecure.currency require each other.',
    when: ['threeDSecure.amount', 'threeDSecure.currency'],
    needs: ['threeDSecure.amount', 'threeDSecure.currency'],
  },
  {
    title: 'threeDSecure.threeRIInd requires threeDSecure.channel.',
    when: ['threeDSecure.threeRIInd'],
    needs: ['threeDSecure.channel'],
  },
  {
    title: 'threeDSecure.verificationId requires threeDSecure.eci.',
    when: ['threeDSecure.verificationId'],
    needs: ['threeDSecure.eci'],
  },
  {
    title: 'Exemption and challenge indicator require 3D Secure version 2.2.',
    when: ['threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator'],
    finds: (sent) => {
      const version = sent.text('threeDSecure.version');
      if (version === undefined || !/^2\.[01]\./.test(version)) return [];
      return ['threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator']
        .filter((name) => sent.has(name))
        .map((name) => ({ name, message: 'must not be sent with threeDSecure.version below 2.2.0' }));
    },
  },
];

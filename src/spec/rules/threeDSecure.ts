import type { Rule } from './rule.ts';

/** Document 3, 3D Secure. */
export const threeDSecure: readonly Rule[] = [
  {
    title: 'An amount to authenticate has its currency.',
    when: ['threeDSecure.amount', 'threeDSecure.currency'],
    needs: ['threeDSecure.amount', 'threeDSecure.currency'],
  },
  {
    title: 'An authentication that the merchant starts says so by its channel.',
    when: ['threeDSecure.threeRIInd'],
    needs: ['threeDSecure.channel'],
  },
  {
    title: 'A proof of authentication comes with its indicator.',
    when: ['threeDSecure.verificationId'],
    needs: ['threeDSecure.eci'],
  },
  {
    title: 'Exemptions and challenge wishes exist since version 2.2.',
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

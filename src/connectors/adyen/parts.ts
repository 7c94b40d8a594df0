import type { AcquirerAnswer } from '../../payments/ports.ts';
import type { AccountNeeds } from '../ports.ts';
import type { AdyenClient, AdyenReply } from './client.ts';
import { errorRow } from './codes.ts';
import type { AdyenSettings } from './settings.ts';

/** What the parts of the connector share. */
export type AdyenParts = {
  readonly needs: AccountNeeds;
  readonly settings: AdyenSettings;
  readonly post: AdyenClient;
};

/** No answer that says whether anything was booked: the core inquires later. */
export class NoAnswer extends Error {
  constructor() {
    super('Adyen gave no answer that counts');
    this.name = 'NoAnswer';
  }
}

/** The answer to a request that did not succeed. Throws where the outcome is open. */
export function failureAnswer(reply: Exclude<AdyenReply, { is: 'ok' }>, { alarm }: AccountNeeds): AcquirerAnswer {
  switch (reply.is) {
    case 'unknown':
      throw new NoAnswer();
    case 'unreachable':
      return { is: 'declined', code: '900.100.600', details: {} };
    case 'tooMany':
      return { is: 'declined', code: '800.120.100', details: {} };
    case 'refused': {
      const { errorCode, status, message } = reply;
      const { ours, operator } = errorRow(errorCode);
      if (operator) alarm('Adyen refused a request', { errorCode, status: String(status), message });
      return { is: 'declined', code: ours, details: { resultDetails: { AcquirerResponse: errorCode.slice(0, 16) } } };
    }
  }
}

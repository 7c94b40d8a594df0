import type { Context } from '../../src/form/checked.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { type Fields, order } from '../requests.ts';

const shop = { isLenient: false, source: 'server', environment: 'test' } as const;
export const pay: Context = { ...shop, endpoint: 'pay' };
export const refer: Context = { ...shop, endpoint: 'refer' };
export const register: Context = { ...shop, endpoint: 'register' };
export const payRegistered: Context = { ...shop, endpoint: 'payRegistered' };
export const deregister: Context = { ...shop, endpoint: 'deregister' };
export const extendLife: Context = { ...shop, endpoint: 'extendLife' };
export const createCheckout: Context = { ...shop, endpoint: 'createCheckout' };
export const updateCheckout: Context = { ...shop, endpoint: 'updateCheckout' };
export const query: Context = { ...shop, sections: ['authentication', 'query'], required: [] };
const asked = (endpoint: EndpointName): Context => ({ ...shop, endpoint });
export const queryList = asked('query');
export const queryRecords = asked('queryRecords');
export const findPayments = asked('findPayments');
export const queryOne = asked('queryOne');
export const queryRecord = asked('queryRecord');
export const reporting: Context = { ...shop, sections: ['authentication', 'reporting'], required: ['date.from', 'date.to'] };
export const checkout: Context = { ...shop, sections: ['basic', 'tokenization', 'card'], required: [] };

/** Both sides of one rule: changes to a request that it lets pass, and changes that it refuses. */
export type Case = {
  /** The sentence of the rule. */
  readonly title: string;
  /** The request that is changed; a card payment when absent. */
  readonly base?: Fields;
  readonly in?: Context;
  readonly passes: readonly Fields[];
  /** The change, and the names of all faults it leads to. */
  readonly refused: readonly (readonly [Fields, ...string[]])[];
};

export const cryptogram: Fields = { 'tokenAccount.cryptogram': 'AgAAAAAAIR8CQrXSohbQQAAAAAA=' };
export const bareToken: Fields = { 'tokenAccount.number': '489537000000', 'tokenAccount.type': 'NETWORK' };
export const token: Fields = { ...bareToken, ...cryptogram };
export const noCard: Fields = { 'card.number': null, 'card.expiryMonth': null, 'card.expiryYear': null };
export const proof: Fields = { 'threeDSecure.verificationId': 'AAACAgSRBklmQCFgMpEGAAAAAAA=', 'threeDSecure.eci': '05' };
export const repeated: Fields = {
  'standingInstruction.mode': 'REPEATED',
  'standingInstruction.type': 'UNSCHEDULED',
  'standingInstruction.source': 'MIT',
  'standingInstruction.initialTransactionId': '012345',
};
export const practice = 'standingInstruction.industryPractice';
export const names: Fields = { 'customer.givenName': 'Ann', 'customer.surname': 'Example' };
export const transfer: Fields = { ...order, shopperResultUrl: 'https://shop.example/' };

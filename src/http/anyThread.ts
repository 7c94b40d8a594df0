import type { EndpointName } from '../spec/endpoints.ts';

/**
 * The endpoints that every request thread answers by itself: they need the store, the directory and the vault, and of what the process
 * shares only what a message can ask. All others are passed on to the main thread, which has their state.
 */
export const anyThread: ReadonlySet<EndpointName> = new Set<EndpointName>([
  'pay',
  'refer',
  'capture',
  'refund',
  'reverse',
  'register',
  'payRegistered',
  'assess',
  'screen',
  'screenAgain',
  'read',
  'readAssessment',
  'query',
  'queryOne',
  'findPayments',
  'queryRecords',
  'queryRecord',
  'listCustomerRegistrations',
  'readRegistration',
  'createCheckout',
]);

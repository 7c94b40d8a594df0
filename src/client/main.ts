/** `turnpike/client`: a typed client of the API, for every runtime with Fetch and Web Crypto. */

export { formatAmount, parseAmount } from './amounts.ts';
export { type Client, type ClientOptions, createClient } from './client.ts';
export {
  type FailureKind,
  type ParameterError,
  ReconciliationError,
  ResourcePathError,
  TurnpikeError,
  WebhookError,
  type WebhookFault,
} from './errors.ts';
export type * from './generated/answers.ts';
export type { AdminOperations, Operations } from './generated/operations.ts';
export type * from './generated/parameters.ts';
export { demoShop, type ScenarioName, testCards } from './generated/sandbox.ts';
export type { CallOptions } from './options.ts';
export { type FileContent, type ReconciliationRecord, readReconciliation, settledAmount } from './reconciliation.ts';
export { parseResourcePath, type Resource } from './resourcePath.ts';
export { classifyResult, type Language, type Result, type ResultGroup, shopperText } from './results.ts';
export { type Clock, type OwnScenario, playScenario, type Scenarios, type TestBrand, testCard } from './sandbox.ts';
export type { Retries, Runtime } from './send.ts';
export {
  createSeenIds,
  createWebhookHandler,
  createWebhookReceiver,
  type SeenIds,
  type WebhookHandlerOptions,
  type WebhookReply,
} from './webhookHandler.ts';
export { type AnyHeaders, verifyWebhook, type WebhookEvent, type WebhookKeys } from './webhooks.ts';

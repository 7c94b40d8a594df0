/** `turnpike/client`: a typed client of the API, for every runtime with Fetch and Web Crypto. */

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
export {
  type FileContent,
  formatAmount,
  parseAmount,
  type ReconciliationRecord,
  readReconciliation,
  settledAmount,
} from './reconciliation.ts';
export { parseResourcePath, type Resource } from './resourcePath.ts';
export {
  classifyResult,
  type Language,
  type Result,
  type ResultGroup,
  shopperText,
} from './results.ts';
export { type Clock, type OwnScenario, playScenario, type Scenarios, type TestBrand, testCard } from './sandbox.ts';
export type { CallOptions, Retries, Runtime } from './send.ts';
export {
  type AnyHeaders,
  createSeenIds,
  createWebhookHandler,
  createWebhookReceiver,
  type SeenIds,
  verifyWebhook,
  type WebhookEvent,
  type WebhookHandlerOptions,
  type WebhookKeys,
  type WebhookReply,
} from './webhooks.ts';

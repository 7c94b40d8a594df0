// Generated from the tables of src/spec by scripts/docs.ts: change those.

import type { CallOptions, Needing } from '../options.ts';
import type {
  AccountView,
  AcquirerAccountView,
  ActionDone,
  Aggregations,
  ApprovalView,
  ApprovalsView,
  AskedSecond,
  AuditPage,
  AuditProof,
  Balances,
  Brands,
  CallDetailView,
  CallsView,
  Checkout,
  CheckoutDetail,
  CheckoutPage,
  ClockView,
  CreatedPaymentLink,
  CustomerDetail,
  CustomerView,
  DeliveryDetail,
  DeliveryShown,
  DueView,
  EntryPage,
  EntryView,
  ExceptionLine,
  ExceptionsResolved,
  FoundPayments,
  Imported,
  InboxPageView,
  InboxView,
  IssuedToken,
  LastBacktest,
  LinkView,
  MandateDetail,
  MandatePage,
  MessageDetailView,
  NodePage,
  Payment,
  PaymentDetail,
  Payments,
  PlayedView,
  RanCall,
  ReconciliationShown,
  Records,
  Registration,
  RegistrationDetail,
  RegistrationPage,
  Registrations,
  Removed,
  ResultCodes,
  ReviewPage,
  ReviewView,
  RiskChecked,
  RiskExplained,
  RiskRules,
  RolesView,
  RoutingBacktest,
  RunsPreview,
  Scenario,
  ScenarioLogView,
  ScenarioView,
  ScenariosView,
  Schedule,
  ScheduleDetail,
  SchedulePage,
  ServerSecretView,
  Settled,
  Settlement,
  SettlementImported,
  SettlementLine,
  SettlementShown,
  StatisticsAnswer,
  TokenView,
  TokensView,
  UnsettledPayment,
  UsePage,
  UserView,
  UsersView,
  WalletKeyView,
  WalletTokenView,
  WebhookDetail,
  WebhookShown,
  WebhookTested,
  WebhookWithKey,
} from './answers.ts';
import type {
  AuthenticationParameters,
  BankAccountParameters,
  BasicParameters,
  BillingParameters,
  CardParameters,
  CheckoutParameters,
  CustomParametersParameters,
  CustomerParameters,
  GiftCardParameters,
  PaymentParameters,
  PreviewParameters,
  QueryParameters,
  ReportingParameters,
  SchedulingParameters,
  ShippingParameters,
  TokenizationParameters,
  VirtualAccountParameters,
  WalletsParameters,
} from './parameters.ts';

/** The API of merchants. */
export type Operations = {
  /** Take a payment: preauthorization (PA), debit (DB) or credit (CD). POST /v1/payments */
  createPayment(parameters: Needing<PaymentParameters, 'paymentType' | 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** Capture (CP), reverse (RV) or refund (RF) a payment; record a chargeback (CB) or another action of a bank. POST /v1/payments/{id} */
  changePayment(id: string, parameters: Needing<PaymentParameters, 'paymentType'>, options?: CallOptions): Promise<Payment>;
  /** Capture a preauthorization: POST /v1/payments/{id} with paymentType CP. POST /v1/payments/{id}/capture */
  capturePayment(id: string, parameters: Needing<PaymentParameters, 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** Refund a payment: POST /v1/payments/{id} with paymentType RF. POST /v1/payments/{id}/refund */
  refundPayment(id: string, parameters: Needing<PaymentParameters, 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** Reverse a payment: POST /v1/payments/{id} with paymentType RV. POST /v1/payments/{id}/reversal */
  reversePayment(id: string, parameters?: PaymentParameters, options?: CallOptions): Promise<Payment>;
  /** Read a payment. GET /v1/payments/{id} */
  readPayment(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Payment>;
  /** Find transactions by merchant reference or time frame, oldest first. GET /v1/query */
  queryPayments(parameters?: AuthenticationParameters & QueryParameters, options?: CallOptions): Promise<Payments>;
  /** Read a transaction of any type; with includeLinkedTransactions=true a list with all linked transactions. GET /v1/query/{id} */
  queryPayment(id: string, parameters?: AuthenticationParameters & QueryParameters, options?: CallOptions): Promise<Payment>;
  /** The older spelling of /v1/query. GET /v1/payments */
  findPayments(parameters?: AuthenticationParameters & QueryParameters, options?: CallOptions): Promise<Payments>;
  /** Find transactions by merchant reference or time frame, with pages. GET /v3/query */
  queryRecords(parameters?: AuthenticationParameters & QueryParameters, options?: CallOptions): Promise<Records>;
  /** Read a transaction of any type as a list, alone or with all linked transactions. GET /v3/query/{id} */
  queryRecord(id: string, parameters?: AuthenticationParameters & QueryParameters, options?: CallOptions): Promise<Records>;
  /** Settled amounts, one line per day and currency. GET /reports/v1/reconciliations/aggregations */
  reportAggregations(parameters: Needing<AuthenticationParameters & ReportingParameters, 'date.from' | 'date.to'>, options?: CallOptions): Promise<Aggregations>;
  /** Every record of a day and currency, by the id from the list. GET /reports/v1/reconciliations/aggregations/{id} */
  reportSettlement(id: string, parameters?: AuthenticationParameters & ReportingParameters, options?: CallOptions): Promise<Settlement>;
  /** The records of a day and currency in pages of 100. GET /reports/v2/reconciliations/aggregations/{id} */
  reportSettlementPages(id: string, parameters?: AuthenticationParameters & ReportingParameters, options?: CallOptions): Promise<Settlement>;
  /** The reconciliation file of these days, as it is delivered. GET /reports/v1/reconciliations/csv */
  reportCsv(parameters: Needing<AuthenticationParameters & ReportingParameters, 'date.from' | 'date.to'>, options?: CallOptions): Promise<string>;
  /** Store payment details. POST /v1/registrations */
  createRegistration(parameters?: PaymentParameters, options?: CallOptions): Promise<Registration>;
  /** Take a payment (PA, DB or CD) with stored payment details. POST /v1/registrations/{id}/payments */
  createRegistrationPayment(id: string, parameters: Needing<PaymentParameters, 'paymentType' | 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** List the stored payment details of a customer that can be charged, masked, the newest 100. GET /v1/registrations */
  listCustomerRegistrations(parameters: Needing<AuthenticationParameters & CustomerParameters, 'customer.merchantCustomerId'>, options?: CallOptions): Promise<Registrations>;
  /** Read stored payment details, masked. GET /v1/registrations/{id} */
  readRegistration(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Registration>;
  /** Delete stored payment details. DELETE /v1/registrations/{id} */
  deleteRegistration(id: string, parameters?: AuthenticationParameters & BasicParameters, options?: CallOptions): Promise<Registration>;
  /** Keep stored payment details longer, up to 24 months. POST /v1/registrations/{id}/extendlife */
  extendRegistration(id: string, parameters?: AuthenticationParameters & BasicParameters, options?: CallOptions): Promise<Registration>;
  /** Create a checkout for the payment widget: a payment, or the storage of payment details. It is valid for 30 minutes. POST /v1/checkouts */
  createCheckout(parameters?: CheckoutParameters, options?: CallOptions): Promise<Checkout>;
  /** Update a checkout; sent parameters replace the stored ones. POST /v1/checkouts/{id} */
  updateCheckout(id: string, parameters?: CheckoutParameters, options?: CallOptions): Promise<Checkout>;
  /** Read the payment status of a checkout, any number of times while it is valid. GET /v1/checkouts/{id}/payment */
  readCheckoutPayment(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Payment>;
  /** Read the registration status of a checkout, any number of times while it is valid. GET /v1/checkouts/{id}/registration */
  readCheckoutRegistration(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Registration>;
  /** Pay a checkout. The payment widget sends its form here; the answer to a browser is the page that the shopper sees next, to others the payment. With an access token and entityId it also carries out what the shopper has saved. POST /v1/checkouts/{id}/payment */
  payCheckout(id: string, parameters?: AuthenticationParameters & CardParameters & BankAccountParameters & VirtualAccountParameters & GiftCardParameters & WalletsParameters & CustomerParameters & BillingParameters & ShippingParameters & TokenizationParameters & CustomParametersParameters, options?: CallOptions): Promise<Payment>;
  /** Store payment details with a checkout; nothing is charged. POST /v1/checkouts/{id}/registration */
  registerCheckout(id: string, parameters?: AuthenticationParameters & CardParameters & BankAccountParameters & VirtualAccountParameters & GiftCardParameters & WalletsParameters & CustomerParameters & BillingParameters & ShippingParameters & TokenizationParameters & CustomParametersParameters, options?: CallOptions): Promise<Payment>;
  /** Authenticate a cardholder by 3D Secure without a payment. POST /v1/threeDSecure */
  createAuthentication(parameters: Needing<PaymentParameters, 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** Read the result of an authentication, with its proof. GET /v1/threeDSecure/{id} */
  readAuthentication(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Payment>;
  /** Check the risk of a payment without taking it. POST /v1/risk */
  assessRisk(parameters: Needing<PaymentParameters, 'amount' | 'currency'>, options?: CallOptions): Promise<Payment>;
  /** Read the result of a risk check. GET /v1/risk/{id} */
  readAssessment(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Payment>;
  /** Alias of /v1/risk for existing clients. POST /v1/redShield */
  screenRisk(parameters: Needing<PaymentParameters, 'amount' | 'currency' | 'merchantTransactionId'>, options?: CallOptions): Promise<Payment>;
  /** Newer alias of /v1/risk for existing clients. POST /v2/redShield */
  screenRiskAgain(parameters: Needing<PaymentParameters, 'amount' | 'currency' | 'merchantTransactionId'>, options?: CallOptions): Promise<Payment>;
  /** Schedule recurring payments (DB, PA or CD) with stored payment details. POST /scheduling/v1/schedules */
  createSchedule(parameters: Needing<CheckoutParameters, 'registrationId' | 'amount' | 'currency'>, options?: CallOptions): Promise<Schedule>;
  /** Change a schedule; parameters that are not sent stay, a sent job replaces the whole job. POST /scheduling/v1/schedules/{id}/reschedule */
  changeSchedule(id: string, parameters?: CheckoutParameters, options?: CallOptions): Promise<Schedule>;
  /** End a schedule, at once or when its notice period allows. POST /scheduling/v1/schedules/{id}/deschedule */
  endSchedule(id: string, parameters?: AuthenticationParameters & BasicParameters, options?: CallOptions): Promise<Schedule>;
  /** The same as deschedule. DELETE /scheduling/v1/schedules/{id} */
  deleteSchedule(id: string, parameters?: AuthenticationParameters & BasicParameters, options?: CallOptions): Promise<Schedule>;
  /** Read a schedule with its next runs, or all schedules of the stored payment details with this id. GET /scheduling/v1/schedules/{id} */
  readSchedule(id: string, parameters?: AuthenticationParameters, options?: CallOptions): Promise<Schedule>;
  /** Preview the runs of a job; creates nothing. GET /scheduling/v1/preview */
  previewSchedule(parameters?: AuthenticationParameters & SchedulingParameters & PreviewParameters, options?: CallOptions): Promise<Schedule>;
  /** List every result code with class, group, advice and the text for the shopper, and the pattern of every group. GET /v1/resultcodes */
  listResultCodes(parameters?: { readonly language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'da' | 'fi' | 'sv' | 'tr' | 'ja' | 'sl' | 'pt' | 'pl' | 'cs' | 'hu' | 'bg' | 'ro' | 'ru' | 'zh' | 'el' | 'nb' | 'sk' | 'ar' | 'ko' | 'be' }, options?: CallOptions): Promise<ResultCodes>;
  /** List every brand with method, workflow, countries, currencies and required parameters. GET /v1/brands */
  listBrands(parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Brands>;
};

/** The administration API. In live it takes the operator's token alone. */
export type AdminOperations = {
  /** List the webhooks of an entity. GET /admin/v1/webhooks */
  listWebhooks(parameters?: {
    /** The entity. */
    readonly entityId?: string;
    /** Include the webhooks of all entities below it. */
    readonly below?: boolean;
  }, options?: CallOptions): Promise<{
    readonly webhooks: readonly WebhookShown[];
  }>;
  /** Create a webhook. Only this reply contains its key. Nothing is sent before a successful test delivery. POST /admin/v1/webhooks */
  createWebhook(parameters: {
    /** The webhook receives events of this entity and of all entities below it. */
    readonly entityId?: string;
    /** A display name. */
    readonly name: string;
    /** The URL. In live: https, port 443 or 80, a public address. */
    readonly url: string;
    /** Event types; default all. */
    readonly types?: readonly ('PAYMENT' | 'REGISTRATION' | 'SCHEDULE' | 'RISK')[];
    /** Content of a payload: all fields of the reply (ALL, default), or no customer data. */
    readonly fields?: 'ALL' | 'NON_CUSTOMER_DATA';
    /** Form of the encrypted body: plain (NONE, default), or as encryptedBody of a JSON object. */
    readonly wrapper?: 'NONE' | 'JSON';
    /** A key that the receiver already knows; default: generated. */
    readonly key?: string;
  }, options?: CallOptions): Promise<WebhookWithKey>;
  /** Read a webhook, with the number of deliveries per state. GET /admin/v1/webhooks/{id} */
  readWebhook(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<WebhookDetail>;
  /** Change a webhook; fields that are not sent stay. POST /admin/v1/webhooks/{id} */
  changeWebhook(id: string, parameters?: {
    /** A display name. */
    readonly name?: string;
    /** A new URL. Nothing is sent to it before a successful test delivery; events wait meanwhile. */
    readonly url?: string;
    /** Event types. */
    readonly types?: readonly ('PAYMENT' | 'REGISTRATION' | 'SCHEDULE' | 'RISK')[];
    /** Content of a payload. */
    readonly fields?: 'ALL' | 'NON_CUSTOMER_DATA';
    /** Form of the encrypted body. */
    readonly wrapper?: 'NONE' | 'JSON';
  }, options?: CallOptions): Promise<WebhookShown>;
  /** Delete a webhook and its pending deliveries. DELETE /admin/v1/webhooks/{id} */
  removeWebhook(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Removed>;
  /** Send a test delivery; a 2xx answer activates the webhook. POST /admin/v1/webhooks/{id}/test */
  testWebhook(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<WebhookTested>;
  /** Rotate the key of a webhook; the previous key also signs for a while. Only this reply contains the new key. POST /admin/v1/webhooks/{id}/keys */
  rotateWebhookKey(id: string, parameters?: {
    /** Hours during which the previous key also signs; default 24. */
    readonly untilHours?: number;
    /** A key that the receiver already knows; default: generated. */
    readonly key?: string;
  }, options?: CallOptions): Promise<WebhookWithKey>;
  /** Deactivate a webhook; a test delivery activates it again. POST /admin/v1/webhooks/{id}/off */
  switchOffWebhook(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<WebhookShown>;
  /** List the deliveries of a webhook with every attempt, newest first. GET /admin/v1/webhooks/{id}/deliveries */
  listDeliveries(id: string, parameters?: {
    /** due: pending or waiting for the next attempt; dead: given up. */
    readonly state?: 'due' | 'delivered' | 'dead';
    /** Only events at or after this instant. */
    readonly from?: string;
    /** Only events before this instant. */
    readonly to?: string;
    /** Only deliveries older than this one: the last of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<{
    readonly deliveries: readonly DeliveryShown[];
    readonly next: string | null;
  }>;
  /** Read a delivery with its current payload, personal and instrument data masked. GET /admin/v1/webhooks/{id}/deliveries/{delivery} */
  readDelivery(id: string, delivery: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<DeliveryDetail>;
  /** Send deliveries again: by id, by period or state, or all failed ones. POST /admin/v1/webhooks/{id}/resend */
  resendDeliveries(id: string, parameters?: {
    /** The deliveries, in any state. */
    readonly ids?: readonly string[];
    /** Only deliveries in this state. */
    readonly state?: 'due' | 'delivered' | 'dead';
    /** Only events at or after this instant. */
    readonly from?: string;
    /** Only events before this instant. */
    readonly to?: string;
    /** All undelivered ones: dead, and waiting for the next attempt. */
    readonly failed?: boolean;
  }, options?: CallOptions): Promise<{
    readonly count: number;
  }>;
  /** Read the test clock of a merchant. Test environment only. GET /admin/v1/clock */
  readClock(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<ClockView>;
  /** Freeze the test clock of a merchant, move it forward, or return to real time. Everything that is due in between is done. Test environment only. POST /admin/v1/clock */
  moveClock(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** Stop the clock, also during a move. */
    readonly freeze?: boolean;
    /** Move forward to this instant. */
    readonly to?: string;
    /** Move forward by this duration; months and years follow the calendar in UTC. */
    readonly by?: string;
    /** Return to real time. */
    readonly real?: boolean;
  }, options?: CallOptions): Promise<ClockView>;
  /** Import a file of an acquirer, completely or not at all. The body is the file. POST /admin/v1/settlements */
  bringSettlement(file: Uint8Array | string, parameters?: {
    /** The importing entity: lines are matched with its payments and those of entities below it. */
    readonly entityId?: string;
    /** A display name of the file. */
    readonly name?: string;
  }, options?: CallOptions): Promise<SettlementImported>;
  /** List the imported files of an entity, newest first. GET /admin/v1/settlements */
  listSettlements(parameters?: {
    /** The entity; files of entities below it are included. */
    readonly entityId?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<{
    readonly settlements: readonly SettlementShown[];
  }>;
  /** Read a file: how its lines were matched, or its errors. GET /admin/v1/settlements/{id} */
  readSettlement(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<SettlementShown>;
  /** List open exceptions, oldest first. GET /admin/v1/settlementExceptions */
  listExceptions(parameters?: {
    /** The entity; exceptions of entities below it are included. */
    readonly entityId?: string;
    /** Only this status. */
    readonly status?: 'NOT_MATCHED' | 'MULTIPLE_MATCHES';
    /** Only exceptions after this one: the last of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<{
    readonly exceptions: readonly ExceptionLine[];
    readonly next: string | null;
  }>;
  /** Resolve an exception: match it with a payment, or dismiss it. POST /admin/v1/settlementExceptions/{id} */
  resolveException(id: string, parameters: {
    /** Match it with this payment. */
    readonly paymentId?: string;
    /** Dismiss it: not ours, or no action needed. */
    readonly leave?: boolean;
    /** The reason. */
    readonly note: string;
  }, options?: CallOptions): Promise<SettlementLine>;
  /** Resolve several exceptions with one note; each is matched or dismissed by itself. POST /admin/v1/settlementExceptions */
  resolveExceptions(parameters: {
    /** The entity; exceptions of entities below it are included. */
    readonly entityId?: string;
    /** Up to 200 exceptions, each with the payment to match it with; without one it is dismissed. */
    readonly decisions: readonly {
      readonly id: string;
      readonly paymentId?: string;
    }[];
    /** The reason. */
    readonly note: string;
  }, options?: CallOptions): Promise<ExceptionsResolved>;
  /** List unsettled payments of a merchant. GET /admin/v1/unsettledPayments */
  listUnsettled(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** Only payments created at or after this instant; default 45 days ago. */
    readonly from?: string;
    /** Only payments created before this instant; default three days ago. */
    readonly to?: string;
    /** Only payments newer than this one: the last of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<{
    readonly payments: readonly UnsettledPayment[];
    readonly next: string | null;
  }>;
  /** Read the ledger balances of a merchant, now or at an instant. GET /admin/v1/balances */
  readBalances(parameters?: {
    /** The merchant. */
    readonly entityId?: string;
    /** Balances at this instant, inclusive; default now. */
    readonly at?: string;
  }, options?: CallOptions): Promise<Balances>;
  /** List the scenarios of an entity and what is attached to it. Test environment only. GET /admin/v1/scenarios */
  listScenarios(parameters?: {
    /** The entity. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<ScenariosView>;
  /** Store a scenario; replaces one of the same name. POST /admin/v1/scenarios */
  putScenario(parameters: {
    /** Available to this entity and all entities below it. */
    readonly entityId?: string;
    /** The scenario. */
    readonly scenario: Scenario;
  }, options?: CallOptions): Promise<ScenarioView>;
  /** Read a scenario. GET /admin/v1/scenarios/{scenario} */
  readScenario(scenario: string, parameters?: {
    /** An entity that can play it. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<ScenarioView>;
  /** Delete your own scenario; payments that play it continue. DELETE /admin/v1/scenarios/{scenario} */
  removeScenario(scenario: string, parameters?: {
    /** The entity that stores it. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<{
    readonly name: string;
    readonly removed: boolean;
  }>;
  /** Read the events of a scenario: one line of JSON each, identical for the same seed. GET /admin/v1/scenarios/{scenario}/log */
  readScenarioLog(scenario: string, parameters?: {
    /** An entity that can play it. */
    readonly entityId?: string;
    /** The seed; default: the seed of the scenario. */
    readonly seed?: number;
  }, options?: CallOptions): Promise<ScenarioLogView>;
  /** Attach a scenario to an entity or a card: its payments play it without naming it. POST /admin/v1/scenarios/{scenario}/attach */
  attachScenario(scenario: string, parameters?: {
    /** The entity whose payments play it, and those below it. */
    readonly entityId?: string;
    /** Only payments by this card. The number is not stored. */
    readonly card?: string;
    /** The seed; default: the seed of the scenario. */
    readonly seed?: number;
  }, options?: CallOptions): Promise<{
    readonly attached: {
      /** The scenario of every payment; null: none. */
      readonly channel: string | null;
      /** The scenarios of single cards. */
      readonly cards: readonly string[];
    };
  }>;
  /** Detach a scenario. POST /admin/v1/scenarios/{scenario}/detach */
  detachScenario(scenario: string, parameters?: {
    /** The entity it is attached to. */
    readonly entityId?: string;
    /** The card, if it is attached to one. */
    readonly card?: string;
  }, options?: CallOptions): Promise<{
    readonly attached: {
      /** The scenario of every payment; null: none. */
      readonly channel: string | null;
      /** The scenarios of single cards. */
      readonly cards: readonly string[];
    };
  }>;
  /** Read the scenario of a payment and its log. GET /admin/v1/scenarios/payments/{payment} */
  readPlayed(payment: string, parameters?: {
    /** The entity that took the payment. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<PlayedView>;
  /** Read an entity and its children, by name. GET /admin/v1/entities */
  listEntities(parameters?: {
    /** The entity. Without it, with the operator's token: the top of the hierarchy. */
    readonly entityId?: string;
    /** Only children after this one: `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<NodePage>;
  /** Add a PSP, a division or a merchant. Entities are never deleted. POST /admin/v1/entities */
  addEntity(parameters: {
    /** The parent: a PSP for a division, a division for a merchant. Without it, with the operator's token: a PSP is added. */
    readonly entityId?: string;
    /** A display name. */
    readonly name: string;
  }, options?: CallOptions): Promise<AccountView>;
  /** Add a channel to a merchant. POST /admin/v1/channels */
  addChannel(parameters: {
    /** The merchant. */
    readonly entityId?: string;
    /** A display name. */
    readonly name: string;
  }, options?: CallOptions): Promise<AccountView>;
  /** Read an entity with every setting: its own value, the inherited one and its source. GET /admin/v1/entities/{id} */
  readEntity(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<AccountView>;
  /** Rename an entity, open or close it, change its settings, or reset them to inherited ones. POST /admin/v1/entities/{id} */
  changeEntity(id: string, parameters: {
    /** The revision that you read; if it has changed meanwhile, nothing is changed. */
    readonly revision: number;
    /** A new name. */
    readonly name?: string;
    /** Values by setting. */
    readonly set?: Readonly<Record<string, unknown>>;
    /** Settings to inherit again. */
    readonly inherit?: readonly string[];
  }, options?: CallOptions): Promise<AccountView | AskedSecond>;
  /** List the access tokens of an entity, without the tokens themselves. GET /admin/v1/tokens */
  listTokens(parameters?: {
    /** The entity. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<TokensView>;
  /** Issue an access token. Only this reply contains it. POST /admin/v1/tokens */
  issueToken(parameters: {
    /** The entity: the token is valid for it and all entities below it. */
    readonly entityId?: string;
    /** A display name: where it is used. */
    readonly name: string;
    /** IP addresses and CIDR blocks from which it is accepted; default: from anywhere. */
    readonly allowedAddresses?: readonly string[];
  }, options?: CallOptions): Promise<IssuedToken>;
  /** Rotate an access token: issue a new one; the old one stays valid until the chosen time. Only this reply contains the new token. POST /admin/v1/tokens/{id}/rotate */
  rotateToken(id: string, parameters: {
    /** When the old token expires; byHand: no expiry, a user revokes it. */
    readonly end: 'now' | '1h' | '24h' | '7d' | 'byHand';
    /** A new name; default: the old one. */
    readonly name?: string;
  }, options?: CallOptions): Promise<IssuedToken>;
  /** Revoke an access token, now or later. This cannot be undone. POST /admin/v1/tokens/{id}/end */
  endToken(id: string, parameters: {
    /** When; byHand: no expiry. */
    readonly end: 'now' | '1h' | '24h' | '7d' | 'byHand';
  }, options?: CallOptions): Promise<TokenView>;
  /** Set the addresses from which an access token is accepted. From other addresses it is refused like an unknown token. POST /admin/v1/tokens/{id}/allowedAddresses */
  setTokenAddresses(id: string, parameters: {
    /** IP addresses and CIDR blocks; an empty list: accepted from anywhere. */
    readonly allowedAddresses: readonly string[];
  }, options?: CallOptions): Promise<TokenView>;
  /** Store a private key of a wallet, encrypted. It is never shown. POST /admin/v1/entities/{id}/walletKeys */
  keepWalletKey(id: string, parameters: {
    /** The wallet. */
    readonly wallet: 'walletA' | 'walletB' | 'walletC';
    /** Its id in the wallet setup. */
    readonly keyId: string;
    /** Purpose: decrypt tokens (default), or authenticate at the wallet's servers. */
    readonly use?: 'tokens' | 'identity';
    /** The key. */
    readonly privateKey: string;
  }, options?: CallOptions): Promise<{
    readonly walletKeys: readonly WalletKeyView[];
  }>;
  /** Delete a private key that no setup uses. DELETE /admin/v1/entities/{id}/walletKeys */
  dropWalletKey(id: string, parameters: {
    /** The wallet. */
    readonly wallet: 'walletA' | 'walletB' | 'walletC';
    /** Its id in the wallet setup. */
    readonly keyId: string;
    /** Purpose: decrypt tokens (default), or authenticate at the wallet's servers. */
    readonly use?: 'tokens' | 'identity';
  }, options?: CallOptions): Promise<{
    readonly walletKeys: readonly WalletKeyView[];
  }>;
  /** Store the password or private key for a file server, encrypted. It is never shown. POST /admin/v1/entities/{id}/serverSecrets */
  keepServerSecret(id: string, parameters: {
    /** The server: for reconciliation files or for settlement files. */
    readonly server: 'reconciliation' | 'settlement';
    /** The password. */
    readonly password?: string;
    /** The private key, for SFTP. */
    readonly privateKey?: string;
  }, options?: CallOptions): Promise<{
    readonly serverSecrets: readonly ServerSecretView[];
  }>;
  /** Delete it; files are no longer delivered or fetched. DELETE /admin/v1/entities/{id}/serverSecrets */
  dropServerSecret(id: string, parameters: {
    /** The server. */
    readonly server: 'reconciliation' | 'settlement';
  }, options?: CallOptions): Promise<{
    readonly serverSecrets: readonly ServerSecretView[];
  }>;
  /** Store a credential of an account at an acquirer, encrypted, or replace it. It is never shown, and counts at once. POST /admin/v1/entities/{id}/accountSecrets */
  keepAccountSecret(id: string, parameters: {
    /** The name of the account, as in the setting `accounts`. */
    readonly account: string;
    /** The name of the credential. */
    readonly secret: string;
    /** The credential. */
    readonly value: string;
  }, options?: CallOptions): Promise<{
    readonly acquirerAccounts: readonly AcquirerAccountView[];
  }>;
  /** Delete a credential of an account. DELETE /admin/v1/entities/{id}/accountSecrets */
  dropAccountSecret(id: string, parameters: {
    /** The name of the account, as in the setting `accounts`. */
    readonly account: string;
    /** The name of the credential. */
    readonly secret: string;
  }, options?: CallOptions): Promise<{
    readonly acquirerAccounts: readonly AcquirerAccountView[];
  }>;
  /** List API calls, newest first. GET /admin/v1/calls */
  listCalls(parameters?: {
    /** The entity; calls of entities below it are included. */
    readonly entityId?: string;
    /** Only calls of this endpoint. */
    readonly endpoint?: string;
    /** Only replies with this status class. */
    readonly status?: '2xx' | '3xx' | '4xx' | '5xx';
    /** Only replies whose result code begins with this. */
    readonly code?: string;
    /** Search in ids, ndc and the merchant's reference. */
    readonly text?: string;
    /** Only calls about this payment. */
    readonly paymentId?: string;
    /** Only calls at or after this instant, real time. */
    readonly from?: string;
    /** Only calls before this instant. */
    readonly to?: string;
    /** Only calls older than this one: the last of the previous page. */
    readonly after?: string;
    /** Only calls newer than this one, for polling. */
    readonly newer?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<CallsView>;
  /** Read a call: request, reply, explanation and curl command. GET /admin/v1/calls/{id} */
  readCall(id: string, parameters?: {
    /** Language of the explanation; default English. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<CallDetailView>;
  /** Run a call again as its entity; masked values must be filled in. Test environment only. POST /admin/v1/calls/{id}/run */
  runCall(id: string, parameters?: {
    /** Parameters that replace the masked ones, or any others. */
    readonly fields?: {
      readonly [name: string]: string;
    };
  }, options?: CallOptions): Promise<RanCall>;
  /** Read the webhook inbox of an entity. Test environment only. GET /admin/v1/inbox */
  readInbox(parameters?: {
    /** The entity. */
    readonly entityId?: string;
    /** Only payloads older than this one: the last of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<InboxPageView>;
  /** Open a webhook inbox for an entity: a webhook whose payloads are stored and shown here. Test environment only. POST /admin/v1/inbox */
  openInbox(parameters?: {
    /** The webhook receives events of this entity and of all entities below it. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<InboxView>;
  /** Choose the answer of the inbox. POST /admin/v1/inbox/{id} */
  changeInbox(id: string, parameters: {
    /** Success, 500 error, or time out. */
    readonly answers: 'slow' | '200' | '500';
  }, options?: CallOptions): Promise<InboxView>;
  /** Delete the inbox, its webhook and its payloads. DELETE /admin/v1/inbox/{id} */
  closeInbox(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Removed>;
  /** Read a payload of the inbox, as received and decrypted. GET /admin/v1/inbox/{id}/messages/{message} */
  readInboxMessage(id: string, message: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<MessageDetailView>;
  /** Read what is due next by the test clock of a merchant. GET /admin/v1/clock/due */
  readDue(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** Maximum number of instants; default 5. */
    readonly count?: number;
  }, options?: CallOptions): Promise<DueView>;
  /** Create a token of a device wallet. Test environment only. POST /admin/v1/walletTokens */
  issueWalletToken(parameters: {
    /** The channel of the payment. */
    readonly entityId?: string;
    /** The wallet. */
    readonly wallet: 'walletA' | 'walletB' | 'walletC' | 'applePay' | 'googlePay' | 'samsungPay';
    /** The token version; default: the usual one. */
    readonly version?: string;
    /** One of the test cards. */
    readonly number?: string;
    /** The amount. */
    readonly amount?: string;
    /** The currency. */
    readonly currency?: string;
    /** An error to plant. */
    readonly fault?: string;
  }, options?: CallOptions): Promise<WalletTokenView>;
  /** Search payments, newest first. GET /admin/v1/payments */
  searchPayments(parameters?: {
    /** Any entity: its payments and those of all entities below it. */
    readonly entityId?: string;
    /** An id, short id, reference, last four digits, e-mail address, amount or day; the first three may be incomplete. */
    readonly text?: string;
    /** Only payments created at or after this instant. */
    readonly from?: string;
    /** Only payments created before this instant. */
    readonly to?: string;
    /** Only open, approved or declined payments. */
    readonly state?: 'open' | 'approved' | 'declined';
    /** Only these types. */
    readonly types?: string;
    /** Only this brand. */
    readonly brand?: string;
    /** Only this result code. */
    readonly code?: string;
    /** Only this currency. */
    readonly currency?: string;
    /** Only this amount. */
    readonly amount?: string;
    /** Only numbers with these last four digits. */
    readonly last4?: string;
    /** Only this complete e-mail address of the customer. */
    readonly email?: string;
    /** Only payments of the customer with this merchantCustomerId, or with details stored for it. */
    readonly customer?: string;
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<FoundPayments>;
  /** Export the results of a search as CSV. GET /admin/v1/paymentExport */
  exportPayments(parameters?: {
    /** Any entity: its payments and those of all entities below it. */
    readonly entityId?: string;
    /** An id, short id, reference, last four digits, e-mail address, amount or day; the first three may be incomplete. */
    readonly text?: string;
    /** Only payments created at or after this instant. */
    readonly from?: string;
    /** Only payments created before this instant. */
    readonly to?: string;
    /** Only open, approved or declined payments. */
    readonly state?: 'open' | 'approved' | 'declined';
    /** Only these types. */
    readonly types?: string;
    /** Only this brand. */
    readonly brand?: string;
    /** Only this result code. */
    readonly code?: string;
    /** Only this currency. */
    readonly currency?: string;
    /** Only this amount. */
    readonly amount?: string;
    /** Only numbers with these last four digits. */
    readonly last4?: string;
    /** Only this complete e-mail address of the customer. */
    readonly email?: string;
    /** Only payments of the customer with this merchantCustomerId, or with details stored for it. */
    readonly customer?: string;
    /** The columns in their order. */
    readonly columns?: string;
  }, options?: CallOptions): Promise<string>;
  /** Read a payment with its timeline, related transactions and possible actions. GET /admin/v1/payments/{id} */
  seePayment(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<PaymentDetail>;
  /** Capture an authorised payment, in full or in part. POST /admin/v1/payments/{id}/capture */
  capturePayment(id: string, parameters: {
    /** The amount, in the currency of the payment. */
    readonly amount: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
  }, options?: CallOptions): Promise<ActionDone>;
  /** Refund a payment, in full or in part. POST /admin/v1/payments/{id}/refund */
  refundPayment(id: string, parameters: {
    /** The amount, in the currency of the payment. */
    readonly amount: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
    /** Why it is refunded; kept as the memo of the refund. */
    readonly reason?: string;
  }, options?: CallOptions): Promise<ActionDone>;
  /** Reverse a payment before it is settled. POST /admin/v1/payments/{id}/reverse */
  reversePayment(id: string, parameters: {
    /** The amount; default: everything that is left. */
    readonly amount?: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
  }, options?: CallOptions): Promise<ActionDone>;
  /** Record a chargeback, in full or in part. POST /admin/v1/payments/{id}/chargeback */
  chargebackPayment(id: string, parameters: {
    /** The amount, in the currency of the payment. */
    readonly amount: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
    /** The bank's reason as a result code. */
    readonly reason?: string;
  }, options?: CallOptions): Promise<ActionDone>;
  /** Record the reversal of a chargeback. POST /admin/v1/payments/{id}/chargebackReversal */
  reverseChargeback(id: string, parameters: {
    /** The amount, in the currency of the payment. */
    readonly amount: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
  }, options?: CallOptions): Promise<ActionDone>;
  /** List the users with a role at an entity or below it. GET /admin/v1/users */
  listUsers(parameters?: {
    /** The entity; users of entities below it are included. */
    readonly entityId?: string;
    /** Page size; default 50. */
    readonly limit?: number;
    /** Only users after this one: the last of the previous page. */
    readonly after?: string;
  }, options?: CallOptions): Promise<UsersView>;
  /** Invite a user; returns a link that is valid for 72 hours and shown once. POST /admin/v1/users */
  inviteUser(parameters: {
    /** The entity of the role; the role applies to everything below it. */
    readonly entityId?: string;
    /** The e-mail address for sign-in. */
    readonly email: string;
    /** The display name; the user may change it. */
    readonly name: string;
    /** The role; only rights that you have yourself. */
    readonly role: string;
  }, options?: CallOptions): Promise<LinkView>;
  /** Read a user with a role at an entity or below it. GET /admin/v1/users/{id} */
  readUser(id: string, parameters?: {
    /** An entity at or above the user's role. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<UserView>;
  /** Change a user's roles at an entity and below it, the name, or whether the user may sign in. POST /admin/v1/users/{id} */
  changeUser(id: string, parameters?: {
    /** The entity: only roles at it and below it are changed. */
    readonly entityId?: string;
    /** All roles of the user there. */
    readonly grants?: readonly {
      readonly entityId: string;
      readonly role: string;
    }[];
    /** disabled: the user is signed out and cannot sign in. */
    readonly state?: 'active' | 'disabled';
    /** The display name. */
    readonly name?: string;
  }, options?: CallOptions): Promise<AskedSecond | UserView>;
  /** Create a link for a new password and authenticator; valid for 72 hours and shown once. POST /admin/v1/users/{id}/reset */
  resetUser(id: string, parameters?: {
    /** An entity at or above the user's role. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<LinkView>;
  /** End all sessions of a user. POST /admin/v1/users/{id}/endSessions */
  endUserSessions(id: string, parameters?: {
    /** An entity at or above the user's role. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<{
    readonly ended: number;
  }>;
  /** List the roles that can be assigned at an entity, with their rights. GET /admin/v1/roles */
  listRoles(parameters?: {
    /** The entity. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<RolesView>;
  /** Create a role for an entity and everything below it. POST /admin/v1/roles */
  makeRole(parameters: {
    /** The role can be assigned here and below. */
    readonly entityId?: string;
    /** A display name. */
    readonly name: string;
    /** Its rights; only rights that you have yourself. */
    readonly rights: readonly ('readPayments' | 'capture' | 'reverse' | 'refund' | 'chargeback' | 'approve' | 'registrations' | 'schedules' | 'setUpSchedules' | 'paymentLinks' | 'readWebhooks' | 'webhooks' | 'readRisk' | 'risk' | 'review' | 'readSettlement' | 'settlement' | 'ledger' | 'readSettings' | 'settings' | 'entities' | 'tokens' | 'keys' | 'users' | 'audit' | 'calls' | 'clock' | 'scenarios')[];
  }, options?: CallOptions): Promise<{
    readonly entityId: string | null;
    readonly name: string;
    readonly id: string;
    readonly rights: readonly ('registrations' | 'schedules' | 'webhooks' | 'entities' | 'settlement' | 'ledger' | 'users' | 'audit' | 'scenarios' | 'keys' | 'risk' | 'chargeback' | 'capture' | 'refund' | 'readWebhooks' | 'readPayments' | 'reverse' | 'approve' | 'setUpSchedules' | 'paymentLinks' | 'readRisk' | 'review' | 'readSettlement' | 'readSettings' | 'settings' | 'tokens' | 'calls' | 'clock')[];
  }>;
  /** Change a role, for every user who has it. POST /admin/v1/roles/{id} */
  changeRole(id: string, parameters?: {
    /** A display name. */
    readonly name?: string;
    /** Its rights. */
    readonly rights?: readonly ('readPayments' | 'capture' | 'reverse' | 'refund' | 'chargeback' | 'approve' | 'registrations' | 'schedules' | 'setUpSchedules' | 'paymentLinks' | 'readWebhooks' | 'webhooks' | 'readRisk' | 'risk' | 'review' | 'readSettlement' | 'settlement' | 'ledger' | 'readSettings' | 'settings' | 'entities' | 'tokens' | 'keys' | 'users' | 'audit' | 'calls' | 'clock' | 'scenarios')[];
  }, options?: CallOptions): Promise<AskedSecond | {
    readonly entityId: string | null;
    readonly name: string;
    readonly id: string;
    readonly rights: readonly ('registrations' | 'schedules' | 'webhooks' | 'entities' | 'settlement' | 'ledger' | 'users' | 'audit' | 'scenarios' | 'keys' | 'risk' | 'chargeback' | 'capture' | 'refund' | 'readWebhooks' | 'readPayments' | 'reverse' | 'approve' | 'setUpSchedules' | 'paymentLinks' | 'readRisk' | 'review' | 'readSettlement' | 'readSettings' | 'settings' | 'tokens' | 'calls' | 'clock')[];
  }>;
  /** Delete a role that no user has. DELETE /admin/v1/roles/{id} */
  removeRole(id: string, parameters?: Readonly<Record<string, never>>, options?: CallOptions): Promise<Removed>;
  /** List approval requests and their results, newest first. GET /admin/v1/approvals */
  listApprovals(parameters?: {
    /** The entity; requests of entities below it are included. */
    readonly entityId?: string;
    /** Default waiting. */
    readonly state?: 'waiting' | 'decided';
    /** Page size; default 50. */
    readonly limit?: number;
    /** Only entries older than this one: the last of the previous page. */
    readonly after?: string;
  }, options?: CallOptions): Promise<ApprovalsView>;
  /** Approve a request of another user; the action is carried out. POST /admin/v1/approvals/{id}/approve */
  approve(id: string, parameters?: {
    /** The reason. */
    readonly note?: string;
  }, options?: CallOptions): Promise<ApprovalView>;
  /** Refuse a request of another user. POST /admin/v1/approvals/{id}/refuse */
  refuse(id: string, parameters?: {
    /** The reason. */
    readonly note?: string;
  }, options?: CallOptions): Promise<ApprovalView>;
  /** Read the active risk rules of an entity, and which are its own. GET /admin/v1/riskRules */
  readRiskRules(parameters?: {
    /** Any entity. */
    readonly entityId?: string;
    /** Language of the explanations; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<RiskRules>;
  /** Check risk rules without storing them; returns every error with its position. POST /admin/v1/riskRules/check */
  checkRiskRules(parameters: {
    /** The entity. */
    readonly entityId?: string;
    /** The setting risk of this entity. */
    readonly risk: Readonly<Record<string, unknown>>;
    /** Language of the explanations; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<RiskChecked>;
  /** Store the setting risk of an entity; entities below it inherit it. POST /admin/v1/riskRules */
  saveRiskRules(parameters: {
    /** The entity. */
    readonly entityId?: string;
    /** The complete setting risk; an empty object inherits everything. */
    readonly risk: Readonly<Record<string, unknown>>;
    /** The revision that you read. */
    readonly revision: number;
  }, options?: CallOptions): Promise<RiskRules>;
  /** Explain the risk evaluation of a payment. GET /admin/v1/riskExplanations/{id} */
  explainRisk(id: string, parameters?: {
    /** The channel of the payment, or an entity above it. */
    readonly entityId?: string;
    /** Language of the explanations; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<RiskExplained>;
  /** Back-test risk rules on the stored payments of a merchant or channel; one at a time. POST /admin/v1/riskBacktest */
  startBacktest(parameters: {
    /** A merchant with all its channels, or one channel. */
    readonly entityId?: string;
    /** The setting risk of this entity. */
    readonly risk: Readonly<Record<string, unknown>>;
    /** Only payments created at or after this instant; the month before fills the counters. */
    readonly from?: string;
    /** Only payments created before this instant. */
    readonly to?: string;
  }, options?: CallOptions): Promise<LastBacktest>;
  /** Read the progress or the result of the last back-test of an entity. GET /admin/v1/riskBacktest */
  readBacktest(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<LastBacktest>;
  /** Cancel the back-test of an entity. DELETE /admin/v1/riskBacktest */
  cancelBacktest(parameters?: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<LastBacktest>;
  /** List the entries of the block and allow lists of a merchant. GET /admin/v1/riskLists */
  listRiskEntries(parameters?: {
    /** The merchant, or one of its channels; lists belong to the merchant. */
    readonly entityId?: string;
    /** Only this list. */
    readonly list?: 'block' | 'allow';
    /** Only entries of this kind. */
    readonly kind?: 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';
    /** Only values that contain this. */
    readonly search?: string;
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<EntryPage>;
  /** Add an entry to a list. Of a card number only a keyed hash is stored. POST /admin/v1/riskLists */
  putRiskEntry(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** The list. */
    readonly list: 'block' | 'allow';
    /** The kind of the value. */
    readonly kind: 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';
    /** The value; for a card its number, which is not stored. */
    readonly value?: string;
    /** Take the value from this payment instead. */
    readonly paymentId?: string;
    /** Days until it expires; default: no expiry. */
    readonly days?: number;
  }, options?: CallOptions): Promise<EntryView>;
  /** Remove an entry from a list. POST /admin/v1/riskLists/remove */
  removeRiskEntry(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** The list. */
    readonly list: 'block' | 'allow';
    /** The kind of the value. */
    readonly kind: 'card' | 'bin' | 'email' | 'emailDomain' | 'ip' | 'country' | 'customer';
    /** As returned by the list. */
    readonly value: string;
  }, options?: CallOptions): Promise<{
    readonly removed: boolean;
  }>;
  /** Add many entries to a list, one per line; all or none. POST /admin/v1/riskLists/import */
  importRiskEntries(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** The list. */
    readonly list: 'block' | 'allow';
    /** Each line: kind, comma, value. */
    readonly lines: string;
    /** Days until they expire; default: no expiry. */
    readonly days?: number;
  }, options?: CallOptions): Promise<Imported>;
  /** List payments flagged for manual review, newest first. GET /admin/v1/reviews */
  listReviews(parameters?: {
    /** Any entity. */
    readonly entityId?: string;
    /** The decision; default waiting. */
    readonly state?: 'waiting' | 'accepted' | 'refused';
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<ReviewPage>;
  /** Accept a payment. POST /admin/v1/reviews/{id}/accept */
  acceptReview(id: string, parameters: {
    /** The channel of the payment, or an entity above it. */
    readonly entityId?: string;
    /** The reason. */
    readonly note: string;
  }, options?: CallOptions): Promise<ReviewView>;
  /** Reject a payment and refund it. POST /admin/v1/reviews/{id}/refuse */
  refuseReview(id: string, parameters: {
    /** The channel of the payment, or an entity above it. */
    readonly entityId?: string;
    /** The reason. */
    readonly note: string;
  }, options?: CallOptions): Promise<ReviewView>;
  /** Back-test routing rules on the stored payments of a channel, beside the present rules; nothing is stored. POST /admin/v1/routingBacktest */
  tryRouting(parameters?: {
    /** The channel. */
    readonly entityId?: string;
    /** The proposed rules; default: the present ones. */
    readonly rules?: readonly Readonly<Record<string, unknown>>[];
    /** Only payments created at or after this instant; default: 30 days before the end. */
    readonly from?: string;
    /** Only payments created before this instant, at most 366 days after the start; default: now. */
    readonly to?: string;
  }, options?: CallOptions): Promise<RoutingBacktest>;
  /** List stored payment details, newest first. GET /admin/v1/registrations */
  listRegistrations(parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** Only this id. */
    readonly id?: string;
    /** Only instruments with these last four characters. */
    readonly last4?: string;
    /** Only those whose holder's name contains this. */
    readonly holder?: string;
    /** Only those in this state. */
    readonly state?: 'open' | 'active' | 'rejected' | 'deleted';
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<RegistrationPage>;
  /** Read stored payment details, masked, with their schedules. GET /admin/v1/registrations/{id} */
  seeRegistration(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<RegistrationDetail>;
  /** List the payments with stored payment details, newest first. GET /admin/v1/registrations/{id}/payments */
  listUses(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<UsePage>;
  /** Delete stored payment details; their number is erased. DELETE /admin/v1/registrations/{id} */
  removeRegistration(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<RegistrationDetail>;
  /** List direct debit mandates of a merchant, newest first, with the next collection and the text for the payer. GET /admin/v1/mandates */
  listMandates(parameters?: {
    /** A merchant. */
    readonly entityId?: string;
    /** Only the mandate with this complete id. */
    readonly mandateId?: string;
    /** Only mandates of this customer, by your own id. */
    readonly customerId?: string;
    /** Only accounts with these last four characters. */
    readonly last4?: string;
    /** Only those in this state. */
    readonly state?: 'active' | 'ended' | 'lapsed';
    /** Only those with a collection to come. */
    readonly upcoming?: boolean;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<MandatePage>;
  /** Read a direct debit mandate with its collections. GET /admin/v1/mandates/{id} */
  seeMandate(id: string, parameters?: {
    /** A merchant. */
    readonly entityId?: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<MandateDetail>;
  /** End a direct debit mandate: nothing more is collected by it. Collections that were taken before are still sent. DELETE /admin/v1/mandates/{id} */
  endMandate(id: string, parameters?: {
    /** A merchant. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<MandateDetail>;
  /** Find a customer by its merchantCustomerId: one row for each merchant that knows it. GET /admin/v1/customers */
  listCustomers(parameters: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** The complete id of the customer. */
    readonly merchantCustomerId: string;
  }, options?: CallOptions): Promise<{
    readonly customers: readonly CustomerView[];
  }>;
  /** Read a customer of a merchant: totals, stored payment details and schedules. GET /admin/v1/customer */
  seeCustomer(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** The complete id of the customer. */
    readonly merchantCustomerId: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<CustomerDetail>;
  /** List checkouts, newest first. GET /admin/v1/checkouts */
  listCheckouts(parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** Only this id. */
    readonly id?: string;
    /** open: still valid. */
    readonly state?: 'open' | 'over';
    /** Only those created at or after this instant. */
    readonly from?: string;
    /** Only those created before this instant. */
    readonly to?: string;
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<CheckoutPage>;
  /** Read a checkout with its attempts. GET /admin/v1/checkouts/{id} */
  seeCheckout(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<CheckoutDetail>;
  /** Create a payment link: a checkout with a page of the gateway, for a shopper without a shop. POST /admin/v1/paymentLinks */
  createPaymentLink(parameters: {
    /** The channel that takes the payment, or a merchant with channel dispatching. */
    readonly entityId?: string;
    /** The amount, in units of the currency. */
    readonly amount: string;
    /** ISO 4217 code of the currency. */
    readonly currency: string;
    /** DB: debit; PA: authorize, capture later. Default DB. */
    readonly paymentType?: 'DB' | 'PA';
    /** What the shopper pays for; shown on the page. */
    readonly description?: string;
    /** Your reference, such as the number of an invoice; shown on the page. */
    readonly merchantTransactionId?: string;
    /** Your id of the customer. */
    readonly merchantCustomerId?: string;
    /** The customer's first name. Most channels want both names with any data of the customer. */
    readonly givenName?: string;
    /** The customer's last name. */
    readonly surname?: string;
    /** The customer's e-mail address, kept with the payment. */
    readonly email?: string;
    /** The brands that the page offers; default: every card brand of the channel. */
    readonly brands?: readonly ('VISA' | 'MASTER' | 'AMEX' | 'MAESTRO' | 'DINERS' | 'DISCOVER' | 'JCB' | 'UNIONPAY' | 'UNIONPAY_SMS' | 'VISAELECTRON' | 'VISADEBIT' | 'MASTERDEBIT' | 'VPAY' | 'MADA' | 'DANKORT' | 'BCMC' | 'CARTEBANCAIRE' | 'CARTEBLEUE' | 'SERVIRED' | 'AIRPLUS' | 'ALIA' | 'ALIADEBIT' | 'ARGENCARD' | 'CABAL' | 'CARNET' | 'CENCOSUD' | 'ELO' | 'HIPERCARD' | 'MERCADOLIVRE' | 'NARANJA' | 'NATIVA' | 'TARJETASHOPPING' | 'TCARD' | 'TCARDDEBIT' | 'ASYACARD' | 'AXESS' | 'BONUS' | 'WORLD' | 'FACILYPAY_3X' | 'FACILYPAY_3XSANSFRAIS' | 'FACILYPAY_4X' | 'FACILYPAY_4XSANSFRAIS' | 'APPLEPAY' | 'GOOGLEPAY' | 'SAMSUNGPAY' | 'CLICK_TO_PAY' | 'VIRTUAL_ACCOUNT' | 'GIFTCARD' | 'PAYPAL' | 'ALIPAY' | 'PAYSAFECARD' | 'MONEYBOOKERS' | 'KLARNA_PAYMENTS_PAYLATER' | 'KLARNA_PAYMENTS_PAYNOW' | 'KLARNA_PAYMENTS_SLICEIT' | 'KLARNA_PAYMENTS_BILLPAY' | 'KLARNA_INVOICE' | 'KLARNA_INSTALLMENTS' | 'AFTERPAY' | 'AFFIRM' | 'PAYDIREKT' | 'PAYOLUTION_INVOICE' | 'PAYOLUTION_INS' | 'PAYOLUTION_ELV' | 'RATENKAUF' | 'MASTERPASS' | 'MBWAY' | 'SIBS_MULTIBANCO' | 'PAYTRAIL' | 'PRZELEWY' | 'QIWI' | 'YANDEX' | 'TENPAY' | 'CHINAUNIONPAY' | 'TRUSTLY' | 'STC_PAY' | 'ONECARD' | 'CASHU' | 'DAOPAY' | 'IKANOOI_SE' | 'INICIS' | 'MONEYSAFE' | 'PAYBOX' | 'PF_KARTE_DIRECT' | 'SHETAB' | 'ASTROPAY_STREAMLINE_CASH' | 'ASTROPAY_STREAMLINE_OT' | 'ACI_INSTANTPAY' | 'BALOTO' | 'EFECTY' | 'BANCOLOMBIA' | 'PAGO_FACIL' | 'RAPI_PAGO' | 'ROCKETFUEL' | 'UKASH' | 'DIRECTDEBIT_SEPA' | 'SOFORTUEBERWEISUNG' | 'GIROPAY' | 'EPS' | 'IDEAL' | 'INTERAC_ONLINE' | 'POLI' | 'ENTERCASH' | 'TRUSTPAY_VA' | 'SEPA' | 'PREPAYMENT' | 'BOLETO' | 'BRADESCO' | 'OXXO' | 'SADAD' | 'BITCOIN')[];
    /** How long the link is valid; default 72. */
    readonly hours?: number;
    /** Language of the page; default: the one that the browser asks for. */
    readonly language?: 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'da' | 'fi' | 'sv' | 'tr' | 'ja' | 'sl' | 'pt' | 'pl' | 'cs' | 'hu' | 'bg' | 'ro' | 'ru' | 'zh' | 'el' | 'nb' | 'sk' | 'ar' | 'ko' | 'be';
  }, options?: CallOptions): Promise<CreatedPaymentLink>;
  /** Deactivate a payment link that is not paid. DELETE /admin/v1/paymentLinks/{id} */
  endPaymentLink(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<CheckoutDetail>;
  /** List schedules, newest first. GET /admin/v1/schedules */
  listSchedules(parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** Only this id. */
    readonly id?: string;
    /** Only those in this state. */
    readonly state?: 'active' | 'ending' | 'over';
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<SchedulePage>;
  /** Read a schedule with its next and past runs. GET /admin/v1/schedules/{id} */
  seeSchedule(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<ScheduleDetail>;
  /** Preview the runs of a schedule; creates nothing. GET /admin/v1/schedulePreview */
  previewRuns(parameters: {
    /** The channel that takes the payments: its time zone counts. */
    readonly entityId?: string;
    /** No payment before this time of the time zone of the channel. */
    readonly startDate?: string;
    /** No payment after this time of the time zone of the channel. */
    readonly endDate?: string;
    /** The number of payments from now on: sets the end date. Not together with endDate. */
    readonly payments?: number;
    /** When it charges: second, minute, hour, day of month, month, day of week and optionally year of a cron expression. */
    readonly expression: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<RunsPreview>;
  /** Create a schedule that charges stored payment details. POST /admin/v1/schedules */
  createSchedule(parameters: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** The stored payment details. The channel that stored them takes the payments. */
    readonly registrationId: string;
    /** No payment before this time of the time zone of the channel. */
    readonly startDate?: string;
    /** No payment after this time of the time zone of the channel. */
    readonly endDate?: string;
    /** The number of payments from now on: sets the end date. Not together with endDate. */
    readonly payments?: number;
    /** A display name. */
    readonly name?: string;
    /** The text on the shopper's statement. */
    readonly descriptor?: string;
    /** Your reference, kept with each payment. */
    readonly merchantTransactionId?: string;
    /** Test environment only. INTERNAL (default): simulators; EXTERNAL: the test system of the acquirer. */
    readonly testMode?: string;
    /** The amount of each payment, in units of the currency. */
    readonly amount: string;
    /** ISO 4217 code of the currency. */
    readonly currency: string;
    /** When it charges: second, minute, hour, day of month, month, day of week and optionally year of a cron expression. */
    readonly expression: string;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<ScheduleDetail>;
  /** Change a schedule; fields that are not sent stay. POST /admin/v1/schedules/{id} */
  changeSchedule(id: string, parameters: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
    /** No payment before this time of the time zone of the channel. */
    readonly startDate?: string;
    /** No payment after this time of the time zone of the channel. */
    readonly endDate?: string;
    /** The number of payments from now on: sets the end date. Not together with endDate. */
    readonly payments?: number;
    /** A display name. */
    readonly name?: string;
    /** The text on the shopper's statement. */
    readonly descriptor?: string;
    /** Your reference, kept with each payment. */
    readonly merchantTransactionId?: string;
    /** Test environment only. INTERNAL (default): simulators; EXTERNAL: the test system of the acquirer. */
    readonly testMode?: string;
    /** The amount of each payment. */
    readonly amount?: string;
    /** ISO 4217 code of the currency. */
    readonly currency?: string;
    /** When it charges: second, minute, hour, day of month, month, day of week and optionally year of a cron expression. */
    readonly expression?: string;
    /** Remove the end date. */
    readonly noEnd?: boolean;
    /** Idempotency key: a repeated request with the same key is done once. */
    readonly key: string;
    /** Language of the description; default en. */
    readonly language?: 'en' | 'de';
  }, options?: CallOptions): Promise<ScheduleDetail>;
  /** End a schedule, at once or when its notice period allows. DELETE /admin/v1/schedules/{id} */
  cancelSchedule(id: string, parameters?: {
    /** Any entity; entities below it are included. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<ScheduleDetail>;
  /** Read the statistics of an entity and everything below it: volume, results, decline reasons, 3D Secure, latency, webhooks. GET /admin/v1/statistics */
  readStatistics(parameters?: {
    /** The entity; everything below it is counted. */
    readonly entityId?: string;
    /** A period that ends today, in the entity's time zone; default 7days. */
    readonly range?: 'today' | '7days' | '30days' | '12months';
    /** The first day, in the entity's time zone. */
    readonly fromDay?: string;
    /** The last day. */
    readonly toDay?: string;
    /** From this instant; whole quarters of an hour. */
    readonly from?: string;
    /** Before this instant. */
    readonly to?: string;
  }, options?: CallOptions): Promise<StatisticsAnswer>;
  /** Read the audit log, newest first; reading it adds an entry. GET /admin/v1/audit */
  listAudit(parameters?: {
    /** Entries about this entity and those below it; for a PSP also entries about no entity. */
    readonly entityId?: string;
    /** Only this actor: an id, or part of a name or e-mail address. */
    readonly who?: string;
    /** Only this action. */
    readonly what?: string;
    /** Only entries about this entity. */
    readonly about?: string;
    /** Only entries about this object. */
    readonly objectId?: string;
    /** Only entries with this result. */
    readonly result?: 'done' | 'refused' | 'failed';
    /** Only events at or after this instant. */
    readonly from?: string;
    /** Only events before this instant. */
    readonly to?: string;
    /** `next` of the previous page. */
    readonly after?: string;
    /** Page size; default 50. */
    readonly limit?: number;
  }, options?: CallOptions): Promise<AuditPage>;
  /** The audit log as a CSV file. GET /admin/v1/audit/csv */
  exportAudit(parameters?: {
    /** Entries about this entity and those below it; for a PSP also entries about no entity. */
    readonly entityId?: string;
    /** Only this actor: an id, or part of a name or e-mail address. */
    readonly who?: string;
    /** Only this action. */
    readonly what?: string;
    /** Only entries about this entity. */
    readonly about?: string;
    /** Only entries about this object. */
    readonly objectId?: string;
    /** Only entries with this result. */
    readonly result?: 'done' | 'refused' | 'failed';
    /** Only events at or after this instant. */
    readonly from?: string;
    /** Only events before this instant. */
    readonly to?: string;
  }, options?: CallOptions): Promise<string>;
  /** Verify that the audit log is unchanged. POST /admin/v1/audit/verification */
  verifyAudit(parameters?: {
    /** Any entity whose audit log you may read; there is one chain for all. */
    readonly entityId?: string;
  }, options?: CallOptions): Promise<AuditProof>;
  /** Settled amounts, one line per day and currency. GET /admin/v1/settled */
  listSettled(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** First settlement day. */
    readonly from: string;
    /** Last settlement day. */
    readonly to: string;
    /** Only this currency. */
    readonly currency?: string;
  }, options?: CallOptions): Promise<{
    readonly settled: readonly Settled[];
  }>;
  /** The reconciliation file of these days. GET /admin/v1/settled/csv */
  exportSettled(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** First settlement day. */
    readonly from: string;
    /** Last settlement day. */
    readonly to: string;
    /** Only this currency. */
    readonly currency?: string;
    /** Only records of this type. */
    readonly recordType?: 'SETTLED' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | 'FEE';
  }, options?: CallOptions): Promise<string>;
  /** List the delivered and pending reconciliation files of a merchant. GET /admin/v1/reconciliations */
  listReconciliations(parameters: {
    /** The merchant, or one of its channels. */
    readonly entityId?: string;
    /** Only files of this settlement day or later. */
    readonly from: string;
  }, options?: CallOptions): Promise<{
    readonly reconciliations: readonly ReconciliationShown[];
  }>;
};

/** Method, path, and how it is sent. */
type Row = readonly [method: string, path: string, how: string];

export const operations: { readonly [Name in keyof Operations]: Row } = {
  createPayment: ['POST', '/v1/payments', 'form keyed entity'],
  changePayment: ['POST', '/v1/payments/{id}', 'form keyed entity'],
  capturePayment: ['POST', '/v1/payments/{id}/capture', 'form keyed entity'],
  refundPayment: ['POST', '/v1/payments/{id}/refund', 'form keyed entity'],
  reversePayment: ['POST', '/v1/payments/{id}/reversal', 'form keyed entity'],
  readPayment: ['GET', '/v1/payments/{id}', 'query entity'],
  queryPayments: ['GET', '/v1/query', 'query entity'],
  queryPayment: ['GET', '/v1/query/{id}', 'query entity'],
  findPayments: ['GET', '/v1/payments', 'query entity'],
  queryRecords: ['GET', '/v3/query', 'query entity'],
  queryRecord: ['GET', '/v3/query/{id}', 'query entity'],
  reportAggregations: ['GET', '/reports/v1/reconciliations/aggregations', 'query entity'],
  reportSettlement: ['GET', '/reports/v1/reconciliations/aggregations/{id}', 'query entity'],
  reportSettlementPages: ['GET', '/reports/v2/reconciliations/aggregations/{id}', 'query entity'],
  reportCsv: ['GET', '/reports/v1/reconciliations/csv', 'query entity text'],
  createRegistration: ['POST', '/v1/registrations', 'form keyed entity'],
  createRegistrationPayment: ['POST', '/v1/registrations/{id}/payments', 'form keyed entity'],
  listCustomerRegistrations: ['GET', '/v1/registrations', 'query entity'],
  readRegistration: ['GET', '/v1/registrations/{id}', 'query entity'],
  deleteRegistration: ['DELETE', '/v1/registrations/{id}', 'query entity'],
  extendRegistration: ['POST', '/v1/registrations/{id}/extendlife', 'form keyed entity'],
  createCheckout: ['POST', '/v1/checkouts', 'form keyed entity'],
  updateCheckout: ['POST', '/v1/checkouts/{id}', 'form keyed entity'],
  readCheckoutPayment: ['GET', '/v1/checkouts/{id}/payment', 'query entity'],
  readCheckoutRegistration: ['GET', '/v1/checkouts/{id}/registration', 'query entity'],
  payCheckout: ['POST', '/v1/checkouts/{id}/payment', 'form entity'],
  registerCheckout: ['POST', '/v1/checkouts/{id}/registration', 'form entity'],
  createAuthentication: ['POST', '/v1/threeDSecure', 'form keyed entity'],
  readAuthentication: ['GET', '/v1/threeDSecure/{id}', 'query entity'],
  assessRisk: ['POST', '/v1/risk', 'form keyed entity'],
  readAssessment: ['GET', '/v1/risk/{id}', 'query entity'],
  screenRisk: ['POST', '/v1/redShield', 'form keyed entity'],
  screenRiskAgain: ['POST', '/v2/redShield', 'form keyed entity'],
  createSchedule: ['POST', '/scheduling/v1/schedules', 'form keyed entity'],
  changeSchedule: ['POST', '/scheduling/v1/schedules/{id}/reschedule', 'form keyed entity'],
  endSchedule: ['POST', '/scheduling/v1/schedules/{id}/deschedule', 'form keyed entity'],
  deleteSchedule: ['DELETE', '/scheduling/v1/schedules/{id}', 'query entity'],
  readSchedule: ['GET', '/scheduling/v1/schedules/{id}', 'query entity'],
  previewSchedule: ['GET', '/scheduling/v1/preview', 'query entity'],
  listResultCodes: ['GET', '/v1/resultcodes', 'query public'],
  listBrands: ['GET', '/v1/brands', 'query public'],
};

export const adminOperations: { readonly [Name in keyof AdminOperations]: Row } = {
  listWebhooks: ['GET', '/admin/v1/webhooks', 'query entity'],
  createWebhook: ['POST', '/admin/v1/webhooks', 'json entity'],
  readWebhook: ['GET', '/admin/v1/webhooks/{id}', 'query'],
  changeWebhook: ['POST', '/admin/v1/webhooks/{id}', 'json'],
  removeWebhook: ['DELETE', '/admin/v1/webhooks/{id}', 'query'],
  testWebhook: ['POST', '/admin/v1/webhooks/{id}/test', 'json'],
  rotateWebhookKey: ['POST', '/admin/v1/webhooks/{id}/keys', 'json'],
  switchOffWebhook: ['POST', '/admin/v1/webhooks/{id}/off', 'json'],
  listDeliveries: ['GET', '/admin/v1/webhooks/{id}/deliveries', 'query'],
  readDelivery: ['GET', '/admin/v1/webhooks/{id}/deliveries/{delivery}', 'query'],
  resendDeliveries: ['POST', '/admin/v1/webhooks/{id}/resend', 'json'],
  readClock: ['GET', '/admin/v1/clock', 'query entity'],
  moveClock: ['POST', '/admin/v1/clock', 'json entity'],
  bringSettlement: ['POST', '/admin/v1/settlements', 'file entity'],
  listSettlements: ['GET', '/admin/v1/settlements', 'query entity'],
  readSettlement: ['GET', '/admin/v1/settlements/{id}', 'query'],
  listExceptions: ['GET', '/admin/v1/settlementExceptions', 'query entity'],
  resolveException: ['POST', '/admin/v1/settlementExceptions/{id}', 'json'],
  resolveExceptions: ['POST', '/admin/v1/settlementExceptions', 'json entity'],
  listUnsettled: ['GET', '/admin/v1/unsettledPayments', 'query entity'],
  readBalances: ['GET', '/admin/v1/balances', 'query entity'],
  listScenarios: ['GET', '/admin/v1/scenarios', 'query entity'],
  putScenario: ['POST', '/admin/v1/scenarios', 'json entity'],
  readScenario: ['GET', '/admin/v1/scenarios/{scenario}', 'query entity'],
  removeScenario: ['DELETE', '/admin/v1/scenarios/{scenario}', 'query entity'],
  readScenarioLog: ['GET', '/admin/v1/scenarios/{scenario}/log', 'query entity'],
  attachScenario: ['POST', '/admin/v1/scenarios/{scenario}/attach', 'json entity'],
  detachScenario: ['POST', '/admin/v1/scenarios/{scenario}/detach', 'json entity'],
  readPlayed: ['GET', '/admin/v1/scenarios/payments/{payment}', 'query entity'],
  listEntities: ['GET', '/admin/v1/entities', 'query'],
  addEntity: ['POST', '/admin/v1/entities', 'json'],
  addChannel: ['POST', '/admin/v1/channels', 'json entity'],
  readEntity: ['GET', '/admin/v1/entities/{id}', 'query'],
  changeEntity: ['POST', '/admin/v1/entities/{id}', 'json'],
  listTokens: ['GET', '/admin/v1/tokens', 'query entity'],
  issueToken: ['POST', '/admin/v1/tokens', 'json entity'],
  rotateToken: ['POST', '/admin/v1/tokens/{id}/rotate', 'json'],
  endToken: ['POST', '/admin/v1/tokens/{id}/end', 'json'],
  setTokenAddresses: ['POST', '/admin/v1/tokens/{id}/allowedAddresses', 'json'],
  keepWalletKey: ['POST', '/admin/v1/entities/{id}/walletKeys', 'json'],
  dropWalletKey: ['DELETE', '/admin/v1/entities/{id}/walletKeys', 'query'],
  keepServerSecret: ['POST', '/admin/v1/entities/{id}/serverSecrets', 'json'],
  dropServerSecret: ['DELETE', '/admin/v1/entities/{id}/serverSecrets', 'query'],
  keepAccountSecret: ['POST', '/admin/v1/entities/{id}/accountSecrets', 'json'],
  dropAccountSecret: ['DELETE', '/admin/v1/entities/{id}/accountSecrets', 'query'],
  listCalls: ['GET', '/admin/v1/calls', 'query entity'],
  readCall: ['GET', '/admin/v1/calls/{id}', 'query'],
  runCall: ['POST', '/admin/v1/calls/{id}/run', 'json'],
  readInbox: ['GET', '/admin/v1/inbox', 'query entity'],
  openInbox: ['POST', '/admin/v1/inbox', 'json entity'],
  changeInbox: ['POST', '/admin/v1/inbox/{id}', 'json'],
  closeInbox: ['DELETE', '/admin/v1/inbox/{id}', 'query'],
  readInboxMessage: ['GET', '/admin/v1/inbox/{id}/messages/{message}', 'query'],
  readDue: ['GET', '/admin/v1/clock/due', 'query entity'],
  issueWalletToken: ['POST', '/admin/v1/walletTokens', 'json entity'],
  searchPayments: ['GET', '/admin/v1/payments', 'query entity'],
  exportPayments: ['GET', '/admin/v1/paymentExport', 'query entity text'],
  seePayment: ['GET', '/admin/v1/payments/{id}', 'query'],
  capturePayment: ['POST', '/admin/v1/payments/{id}/capture', 'json'],
  refundPayment: ['POST', '/admin/v1/payments/{id}/refund', 'json'],
  reversePayment: ['POST', '/admin/v1/payments/{id}/reverse', 'json'],
  chargebackPayment: ['POST', '/admin/v1/payments/{id}/chargeback', 'json'],
  reverseChargeback: ['POST', '/admin/v1/payments/{id}/chargebackReversal', 'json'],
  listUsers: ['GET', '/admin/v1/users', 'query entity'],
  inviteUser: ['POST', '/admin/v1/users', 'json entity'],
  readUser: ['GET', '/admin/v1/users/{id}', 'query entity'],
  changeUser: ['POST', '/admin/v1/users/{id}', 'json entity'],
  resetUser: ['POST', '/admin/v1/users/{id}/reset', 'json entity'],
  endUserSessions: ['POST', '/admin/v1/users/{id}/endSessions', 'json entity'],
  listRoles: ['GET', '/admin/v1/roles', 'query entity'],
  makeRole: ['POST', '/admin/v1/roles', 'json entity'],
  changeRole: ['POST', '/admin/v1/roles/{id}', 'json'],
  removeRole: ['DELETE', '/admin/v1/roles/{id}', 'query'],
  listApprovals: ['GET', '/admin/v1/approvals', 'query entity'],
  approve: ['POST', '/admin/v1/approvals/{id}/approve', 'json'],
  refuse: ['POST', '/admin/v1/approvals/{id}/refuse', 'json'],
  readRiskRules: ['GET', '/admin/v1/riskRules', 'query entity'],
  checkRiskRules: ['POST', '/admin/v1/riskRules/check', 'json entity'],
  saveRiskRules: ['POST', '/admin/v1/riskRules', 'json entity'],
  explainRisk: ['GET', '/admin/v1/riskExplanations/{id}', 'query entity'],
  startBacktest: ['POST', '/admin/v1/riskBacktest', 'json entity'],
  readBacktest: ['GET', '/admin/v1/riskBacktest', 'query entity'],
  cancelBacktest: ['DELETE', '/admin/v1/riskBacktest', 'query entity'],
  listRiskEntries: ['GET', '/admin/v1/riskLists', 'query entity'],
  putRiskEntry: ['POST', '/admin/v1/riskLists', 'json entity'],
  removeRiskEntry: ['POST', '/admin/v1/riskLists/remove', 'json entity'],
  importRiskEntries: ['POST', '/admin/v1/riskLists/import', 'json entity'],
  listReviews: ['GET', '/admin/v1/reviews', 'query entity'],
  acceptReview: ['POST', '/admin/v1/reviews/{id}/accept', 'json entity'],
  refuseReview: ['POST', '/admin/v1/reviews/{id}/refuse', 'json entity'],
  tryRouting: ['POST', '/admin/v1/routingBacktest', 'json entity'],
  listRegistrations: ['GET', '/admin/v1/registrations', 'query entity'],
  seeRegistration: ['GET', '/admin/v1/registrations/{id}', 'query entity'],
  listUses: ['GET', '/admin/v1/registrations/{id}/payments', 'query entity'],
  removeRegistration: ['DELETE', '/admin/v1/registrations/{id}', 'query entity'],
  listMandates: ['GET', '/admin/v1/mandates', 'query entity'],
  seeMandate: ['GET', '/admin/v1/mandates/{id}', 'query entity'],
  endMandate: ['DELETE', '/admin/v1/mandates/{id}', 'query entity'],
  listCustomers: ['GET', '/admin/v1/customers', 'query entity'],
  seeCustomer: ['GET', '/admin/v1/customer', 'query entity'],
  listCheckouts: ['GET', '/admin/v1/checkouts', 'query entity'],
  seeCheckout: ['GET', '/admin/v1/checkouts/{id}', 'query entity'],
  createPaymentLink: ['POST', '/admin/v1/paymentLinks', 'json entity'],
  endPaymentLink: ['DELETE', '/admin/v1/paymentLinks/{id}', 'query entity'],
  listSchedules: ['GET', '/admin/v1/schedules', 'query entity'],
  seeSchedule: ['GET', '/admin/v1/schedules/{id}', 'query entity'],
  previewRuns: ['GET', '/admin/v1/schedulePreview', 'query entity'],
  createSchedule: ['POST', '/admin/v1/schedules', 'json entity'],
  changeSchedule: ['POST', '/admin/v1/schedules/{id}', 'json entity'],
  cancelSchedule: ['DELETE', '/admin/v1/schedules/{id}', 'query entity'],
  readStatistics: ['GET', '/admin/v1/statistics', 'query entity'],
  listAudit: ['GET', '/admin/v1/audit', 'query entity'],
  exportAudit: ['GET', '/admin/v1/audit/csv', 'query entity text'],
  verifyAudit: ['POST', '/admin/v1/audit/verification', 'json entity'],
  listSettled: ['GET', '/admin/v1/settled', 'query entity'],
  exportSettled: ['GET', '/admin/v1/settled/csv', 'query entity text'],
  listReconciliations: ['GET', '/admin/v1/reconciliations', 'query entity'],
};

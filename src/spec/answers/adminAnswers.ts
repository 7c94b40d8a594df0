import type { AdminEndpointName } from '../admin/admin.ts';
import type { RoutingBacktest } from '../routing.ts';
import type { AccountView, IssuedToken, NodePage, TokensView, TokenView } from './account.ts';
import type {
  CallDetailView,
  CallsView,
  ClockView,
  DueView,
  InboxPageView,
  InboxView,
  MessageDetailView,
  PlayedView,
  RanCall,
  ScenarioLogView,
  ScenariosView,
  ScenarioView,
  WalletTokenView,
} from './developer.ts';
import type { ActionDone, FoundPayments, PaymentDetail, SavedView } from './payments.ts';
import type {
  EntryPage,
  EntryView,
  Imported,
  LastBacktest,
  ReviewPage,
  ReviewView,
  RiskChecked,
  RiskExplained,
  RiskRules,
} from './risk.ts';
import type {
  Balances,
  ExceptionLine,
  ExceptionsResolved,
  ReconciliationShown,
  Settled,
  SettlementLine,
  SettlementShown,
  UnsettledPayment,
} from './settlement.ts';
import type { StatisticsAnswer } from './statistics.ts';
import type {
  CheckoutDetail,
  CheckoutPage,
  CreatedPaymentLink,
  CustomerDetail,
  CustomerView,
  MandateDetail,
  MandatePage,
  RegistrationDetail,
  RegistrationPage,
  RunsPreview,
  ScheduleDetail,
  SchedulePage,
  UsePage,
} from './stored.ts';
import type {
  ApprovalsView,
  ApprovalView,
  AskedSecond,
  AuditPage,
  AuditProof,
  Enrolment,
  HalfSignedIn,
  Invitation,
  LinkView,
  Me,
  NoticesView,
  PasskeyQuestion,
  PasskeysView,
  RolesView,
  RoleView,
  SessionsView,
  TaskCounts,
  UsersView,
  UserView,
} from './users.ts';
import type { DeliveryDetail, DeliveryShown, WebhookDetail, WebhookShown, WebhookTested, WebhookWithKey } from './webhooks.ts';

/** Of bringSettlement. */
type SettlementImported = SettlementShown & {
  /** known: the same bytes were imported before, and nothing has changed. */
  readonly is: 'kept' | 'known';
};

type Removed = { readonly id: string; readonly removed: true };

/**
 * The 200 answers of the administration API by endpoint. They bind the handlers, the back office and the command line, and OpenAPI is
 * derived from them (`npm run docs`). A `string` is a CSV file. An endpoint without a row does not compile.
 */
type Rows = {
  refuse: ApprovalView;
  approve: ApprovalView;
  listApprovals: ApprovalsView;
  changeRole: Omit<RoleView, 'isGivable'> | AskedSecond;
  makeRole: Omit<RoleView, 'isGivable'>;
  listRoles: RolesView;
  resetUser: LinkView;
  changeUser: UserView | AskedSecond;
  inviteUser: LinkView;
  readUser: UserView;
  listUsers: UsersView;
  listCalls: CallsView;
  readCall: CallDetailView;
  runCall: RanCall;
  readInbox: InboxPageView;
  openInbox: InboxView;
  changeInbox: InboxView;
  readInboxMessage: MessageDetailView;
  readDue: DueView;
  readClock: ClockView;
  moveClock: ClockView;
  issueWalletToken: WalletTokenView;
  listScenarios: ScenariosView;
  readScenario: ScenarioView;
  readScenarioLog: ScenarioLogView;
  listEntities: NodePage;
  readEntity: AccountView;
  addEntity: AccountView;
  addChannel: AccountView;
  changeEntity: AccountView | AskedSecond;
  listTokens: TokensView;
  issueToken: IssuedToken;
  rotateToken: IssuedToken;
  endToken: TokenView;
  setTokenAddresses: TokenView;
  searchPayments: FoundPayments;
  seePayment: PaymentDetail;
  capturePayment: ActionDone;
  refundPayment: ActionDone;
  reversePayment: ActionDone;
  chargebackPayment: ActionDone;
  reverseChargeback: ActionDone;
  listViews: { readonly views: readonly SavedView[] };
  saveView: SavedView;
  readMe: Me;
  countTasks: TaskCounts;
  listNotices: NoticesView;
  readNotices: NoticesView;
  newPasskeyOptions: PasskeyQuestion;
  enrolTotp: Enrolment;
  listSessions: SessionsView;
  listPasskeys: PasskeysView;
  readStatistics: StatisticsAnswer;
  signIn: HalfSignedIn;
  passkeyOptions: PasskeyQuestion;
  stepUpOptions: PasskeyQuestion;
  readInvitation: Invitation;
  acceptInvitation: Enrolment;
  listAudit: AuditPage;
  verifyAudit: AuditProof;
  listWebhooks: { readonly webhooks: readonly WebhookShown[] };
  createWebhook: WebhookWithKey;
  readWebhook: WebhookDetail;
  changeWebhook: WebhookShown;
  testWebhook: WebhookTested;
  rotateWebhookKey: WebhookWithKey;
  switchOffWebhook: WebhookShown;
  removeWebhook: Removed;
  listDeliveries: { readonly deliveries: readonly DeliveryShown[]; readonly next: string | null };
  readDelivery: DeliveryDetail;
  resendDeliveries: { readonly count: number };
  bringSettlement: SettlementImported;
  listSettlements: { readonly settlements: readonly SettlementShown[] };
  readSettlement: SettlementShown;
  listExceptions: { readonly exceptions: readonly ExceptionLine[]; readonly next: string | null };
  resolveException: SettlementLine;
  resolveExceptions: ExceptionsResolved;
  listUnsettled: { readonly payments: readonly UnsettledPayment[]; readonly next: string | null };
  listSettled: { readonly settled: readonly Settled[] };
  listReconciliations: { readonly reconciliations: readonly ReconciliationShown[] };
  readBalances: Balances;
  readRiskRules: RiskRules;
  checkRiskRules: RiskChecked;
  saveRiskRules: RiskRules;
  explainRisk: RiskExplained;
  startBacktest: LastBacktest;
  readBacktest: LastBacktest;
  cancelBacktest: LastBacktest;
  tryRouting: RoutingBacktest;
  listRiskEntries: EntryPage;
  putRiskEntry: EntryView;
  importRiskEntries: Imported;
  listReviews: ReviewPage;
  acceptReview: ReviewView;
  refuseReview: ReviewView;
  listRegistrations: RegistrationPage;
  seeRegistration: RegistrationDetail;
  listUses: UsePage;
  removeRegistration: RegistrationDetail;
  listMandates: MandatePage;
  seeMandate: MandateDetail;
  endMandate: MandateDetail;
  listCustomers: { readonly customers: readonly CustomerView[] };
  seeCustomer: CustomerDetail;
  listCheckouts: CheckoutPage;
  seeCheckout: CheckoutDetail;
  createPaymentLink: CreatedPaymentLink;
  endPaymentLink: CheckoutDetail;
  listSchedules: SchedulePage;
  seeSchedule: ScheduleDetail;
  previewRuns: RunsPreview;
  createSchedule: ScheduleDetail;
  changeSchedule: ScheduleDetail;
  cancelSchedule: ScheduleDetail;
  putScenario: ScenarioView;
  removeScenario: { readonly name: string; readonly removed: true };
  attachScenario: Pick<ScenariosView, 'attached'>;
  detachScenario: Pick<ScenariosView, 'attached'>;
  readPlayed: PlayedView;
  keepWalletKey: Pick<AccountView, 'walletKeys'>;
  dropWalletKey: Pick<AccountView, 'walletKeys'>;
  keepServerSecret: Pick<AccountView, 'serverSecrets'>;
  dropServerSecret: Pick<AccountView, 'serverSecrets'>;
  keepAccountSecret: Pick<AccountView, 'acquirerAccounts'>;
  dropAccountSecret: Pick<AccountView, 'acquirerAccounts'>;
  closeInbox: Removed;
  exportPayments: string;
  exportSettled: string;
  exportAudit: string;
  removeView: object;
  signInSecond: SignedInAnswer;
  passkeySignIn: SignedInAnswer;
  finishInvitation: SignedInAnswer;
  signOut: { readonly signedOut: true };
  /** `now`: the clock of the gateway, which that of the browser may differ from. */
  stepUp: { readonly steppedUpUntil: string; readonly now: string };
  changeMe: Me['user'];
  changePassword: { readonly changed: true };
  finishTotp: { readonly changed: true };
  addPasskey: Pick<PasskeysView['passkeys'][number], 'id' | 'name'>;
  removePasskey: Removed;
  endSession: { readonly id: string; readonly ended: true };
  endOtherSessions: { readonly ended: number };
  endUserSessions: { readonly ended: number };
  removeRole: Removed;
  removeRiskEntry: { readonly removed: true };
};

type SignedInAnswer = { readonly signedIn: true };

export type AdminAnswers = { readonly [Name in AdminEndpointName]: Rows[Name] };
export type AdminAnswer<Name extends AdminEndpointName> = AdminAnswers[Name];

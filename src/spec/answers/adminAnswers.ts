import type { AdminEndpointName } from '../admin/admin.ts';
import type { IssuedToken, NodePage, SeenAccount, SeenToken, SeenTokens } from './account.ts';
import type { AuditPage, AuditProof } from './audit.ts';
import type {
  RanCall,
  SeenCallDetail,
  SeenCalls,
  SeenClock,
  SeenDue,
  SeenInbox,
  SeenInboxPage,
  SeenMessageDetail,
  SeenPlayed,
  SeenScenario,
  SeenScenarioLog,
  SeenScenarios,
  SeenWalletToken,
} from './developer.ts';
import type { ActionDone, FoundPayments, PaymentDetail, SavedView } from './payments.ts';
import type {
  EntryPage,
  Imported,
  LastBacktest,
  ReviewPage,
  RiskChecked,
  RiskExplained,
  RiskRules,
  SeenEntry,
  SeenReview,
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
  RegistrationDetail,
  RegistrationPage,
  ScheduleDetail,
  SchedulePage,
  UsePage,
} from './stored.ts';
import type {
  AskedSecond,
  Enrolment,
  HalfSignedIn,
  Invitation,
  Me,
  PasskeyQuestion,
  SeenApproval,
  SeenApprovals,
  SeenLink,
  SeenPasskeys,
  SeenRole,
  SeenRoles,
  SeenSessions,
  SeenUser,
  SeenUsers,
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
  refuse: SeenApproval;
  approve: SeenApproval;
  listApprovals: SeenApprovals;
  changeRole: Omit<SeenRole, 'isGivable'> | AskedSecond;
  makeRole: Omit<SeenRole, 'isGivable'>;
  listRoles: SeenRoles;
  resetUser: SeenLink;
  changeUser: SeenUser | AskedSecond;
  inviteUser: SeenLink;
  readUser: SeenUser;
  listUsers: SeenUsers;
  listCalls: SeenCalls;
  readCall: SeenCallDetail;
  runCall: RanCall;
  readInbox: SeenInboxPage;
  openInbox: SeenInbox;
  changeInbox: SeenInbox;
  readInboxMessage: SeenMessageDetail;
  readDue: SeenDue;
  readClock: SeenClock;
  moveClock: SeenClock;
  issueWalletToken: SeenWalletToken;
  listScenarios: SeenScenarios;
  readScenario: SeenScenario;
  readScenarioLog: SeenScenarioLog;
  listEntities: NodePage;
  readEntity: SeenAccount;
  addEntity: SeenAccount;
  addChannel: SeenAccount;
  changeEntity: SeenAccount | AskedSecond;
  listTokens: SeenTokens;
  issueToken: IssuedToken;
  rotateToken: IssuedToken;
  endToken: SeenToken;
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
  newPasskeyOptions: PasskeyQuestion;
  enrolTotp: Enrolment;
  listSessions: SeenSessions;
  listPasskeys: SeenPasskeys;
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
  listRiskEntries: EntryPage;
  putRiskEntry: SeenEntry;
  importRiskEntries: Imported;
  listReviews: ReviewPage;
  acceptReview: SeenReview;
  refuseReview: SeenReview;
  listRegistrations: RegistrationPage;
  seeRegistration: RegistrationDetail;
  listUses: UsePage;
  removeRegistration: RegistrationDetail;
  listCheckouts: CheckoutPage;
  seeCheckout: CheckoutDetail;
  createPaymentLink: CreatedPaymentLink;
  endPaymentLink: CheckoutDetail;
  listSchedules: SchedulePage;
  seeSchedule: ScheduleDetail;
  cancelSchedule: ScheduleDetail;
  putScenario: SeenScenario;
  removeScenario: { readonly name: string; readonly removed: true };
  attachScenario: Pick<SeenScenarios, 'attached'>;
  detachScenario: Pick<SeenScenarios, 'attached'>;
  readPlayed: SeenPlayed;
  keepWalletKey: Pick<SeenAccount, 'walletKeys'>;
  dropWalletKey: Pick<SeenAccount, 'walletKeys'>;
  keepServerSecret: Pick<SeenAccount, 'serverSecrets'>;
  dropServerSecret: Pick<SeenAccount, 'serverSecrets'>;
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
  addPasskey: Pick<SeenPasskeys['passkeys'][number], 'id' | 'name'>;
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

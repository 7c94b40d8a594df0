import type { IssuedToken, NodePage, SeenAccount, SeenToken, SeenTokens } from '../../spec/answers/account.ts';
import type { AuditPage, AuditProof } from '../../spec/answers/audit.ts';
import type {
  RanCall,
  SeenCallDetail,
  SeenCalls,
  SeenClock,
  SeenDue,
  SeenInbox,
  SeenInboxPage,
  SeenMessageDetail,
  SeenScenario,
  SeenScenarioLog,
  SeenScenarios,
  SeenWalletToken,
} from '../../spec/answers/developer.ts';
import type { ActDone, FoundPayments, PaymentDetail, SavedView } from '../../spec/answers/payments.ts';
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
} from '../../spec/answers/risk.ts';
import type {
  Balances,
  ReconciliationShown,
  Settled,
  SettlementLine,
  SettlementShown,
  UnsettledPayment,
} from '../../spec/answers/settlement.ts';
import type { StatisticsAnswer } from '../../spec/answers/statistics.ts';
import type {
  CheckoutDetail,
  CheckoutPage,
  RegistrationDetail,
  RegistrationPage,
  ScheduleDetail,
  SchedulePage,
  UsePage,
} from '../../spec/answers/stored.ts';
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
} from '../../spec/answers/users.ts';
import type {
  DeliveryDetail,
  DeliveryShown,
  WebhookDetail,
  WebhookShown,
  WebhookTested,
  WebhookWithKey,
} from '../../spec/answers/webhooks.ts';

/** What each endpoint answers. An area adds its rows: `listPayments: PaymentPage;`. What is not named here is unknown. */
export type Answers = {
  refuse: SeenApproval;
  approve: SeenApproval;
  listApprovals: SeenApprovals;
  changeRole: SeenRole | AskedSecond;
  makeRole: SeenRole;
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
  capturePayment: ActDone;
  refundPayment: ActDone;
  reversePayment: ActDone;
  chargebackPayment: ActDone;
  reverseChargeback: ActDone;
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
  removeWebhook: { readonly id: string; readonly removed: true };
  listDeliveries: { readonly deliveries: readonly DeliveryShown[]; readonly next: string | null };
  readDelivery: DeliveryDetail;
  resendDeliveries: { readonly count: number };
  bringSettlement: SettlementShown & { readonly is: 'kept' | 'known' };
  listSettlements: { readonly settlements: readonly SettlementShown[] };
  readSettlement: SettlementShown;
  listExceptions: { readonly exceptions: readonly SettlementLine[]; readonly next: string | null };
  resolveException: SettlementLine;
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
  listSchedules: SchedulePage;
  seeSchedule: ScheduleDetail;
  cancelSchedule: ScheduleDetail;
};

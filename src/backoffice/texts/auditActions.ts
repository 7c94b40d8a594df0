import type { AdminEndpointName } from '../../spec/admin/admin.ts';
import { type Texts, texts } from './texts.ts';

/** Audited actions: endpoints that change something or export data, and the start and stop of a process. */
const actions = {
  start: ['Started the gateway', 'Gateway gestartet'],
  stop: ['Stopped the gateway', 'Gateway beendet'],
  // Payments.
  capturePayment: ['Captured payment', 'Zahlung eingezogen'],
  refundPayment: ['Refunded payment', 'Zahlung erstattet'],
  reversePayment: ['Reversed payment', 'Zahlung storniert'],
  chargebackPayment: ['Recorded chargeback', 'Rückbelastung erfasst'],
  reverseChargeback: ['Recorded chargeback reversal', 'Aufhebung der Rückbelastung erfasst'],
  exportPayments: ['Exported payments', 'Zahlungen exportiert'],
  saveView: ['Saved view', 'Ansicht gespeichert'],
  removeView: ['Deleted view', 'Ansicht gelöscht'],
  removeRegistration: ['Deleted registration', 'Registrierung gelöscht'],
  endMandate: ['Ended mandate', 'Mandat beendet'],
  createSchedule: ['Created schedule', 'Zeitplan erstellt'],
  changeSchedule: ['Changed schedule', 'Zeitplan geändert'],
  cancelSchedule: ['Cancelled schedule', 'Zeitplan beendet'],
  createPaymentLink: ['Created payment link', 'Zahlungslink erstellt'],
  endPaymentLink: ['Deactivated payment link', 'Zahlungslink deaktiviert'],
  // Approvals.
  readNotices: ['Read notices', 'Hinweise gelesen'],
  approve: ['Approved request', 'Antrag freigegeben'],
  refuse: ['Rejected request', 'Antrag abgelehnt'],
  // Webhooks.
  createWebhook: ['Created webhook', 'Webhook erstellt'],
  changeWebhook: ['Edited webhook', 'Webhook bearbeitet'],
  removeWebhook: ['Deleted webhook', 'Webhook gelöscht'],
  testWebhook: ['Sent test webhook', 'Test-Webhook gesendet'],
  rotateWebhookKey: ['Rotated webhook key', 'Webhook-Schlüssel rotiert'],
  switchOffWebhook: ['Disabled webhook', 'Webhook deaktiviert'],
  resendDeliveries: ['Resent deliveries', 'Zustellungen erneut gesendet'],
  // Settlement.
  bringSettlement: ['Uploaded settlement file', 'Abrechnungsdatei hochgeladen'],
  resolveException: ['Resolved exception', 'Ausnahme geklärt'],
  resolveExceptions: ['Resolved several exceptions', 'Mehrere Ausnahmen geklärt'],
  exportSettled: ['Exported reconciliation file', 'Abgleichdatei exportiert'],
  // Risk.
  tryRouting: ['Back-tested routing rules', 'Routing-Regeln am Bestand getestet'],
  checkRiskRules: ['Validated risk rules', 'Risikoregeln validiert'],
  saveRiskRules: ['Saved risk rules', 'Risikoregeln gespeichert'],
  startBacktest: ['Started back-test', 'Rückwirkenden Test gestartet'],
  cancelBacktest: ['Cancelled back-test', 'Rückwirkenden Test abgebrochen'],
  putRiskEntry: ['Added risk list entry', 'Listeneintrag hinzugefügt'],
  removeRiskEntry: ['Removed risk list entry', 'Listeneintrag entfernt'],
  importRiskEntries: ['Imported risk list', 'Risikoliste importiert'],
  acceptReview: ['Accepted review', 'Prüfung angenommen'],
  refuseReview: ['Rejected review', 'Prüfung abgelehnt'],
  // Account data.
  addEntity: ['Added entity', 'Einheit angelegt'],
  addChannel: ['Added channel', 'Kanal angelegt'],
  changeEntity: ['Changed settings', 'Einstellungen geändert'],
  issueToken: ['Issued access token', 'Zugangstoken ausgegeben'],
  rotateToken: ['Rotated access token', 'Zugangstoken rotiert'],
  endToken: ['Revoked access token', 'Zugangstoken widerrufen'],
  setTokenAddresses: ['Changed allowed addresses of access token', 'Erlaubte Adressen des Zugangstokens geändert'],
  keepWalletKey: ['Saved wallet key', 'Wallet-Schlüssel gespeichert'],
  dropWalletKey: ['Deleted wallet key', 'Wallet-Schlüssel gelöscht'],
  keepServerSecret: ['Saved server credentials', 'Zugangsdaten gespeichert'],
  dropServerSecret: ['Deleted server credentials', 'Zugangsdaten gelöscht'],
  keepAccountSecret: ['Saved acquirer credential', 'Zugangsdaten beim Acquirer gespeichert'],
  dropAccountSecret: ['Deleted acquirer credential', 'Zugangsdaten beim Acquirer gelöscht'],
  // Users.
  inviteUser: ['Invited user', 'Benutzer eingeladen'],
  changeUser: ['Edited user', 'Benutzer bearbeitet'],
  resetUser: ['Reset sign-in of user', 'Anmeldung zurückgesetzt'],
  endUserSessions: ['Signed user out everywhere', 'Benutzer überall abgemeldet'],
  makeRole: ['Created role', 'Rolle erstellt'],
  changeRole: ['Edited role', 'Rolle bearbeitet'],
  removeRole: ['Deleted role', 'Rolle gelöscht'],
  // Own account.
  signIn: ['Entered password', 'Passwort eingegeben'],
  signInSecond: ['Signed in', 'Angemeldet'],
  passkeyOptions: ['Started passkey sign-in', 'Passkey-Anmeldung begonnen'],
  passkeySignIn: ['Signed in with passkey', 'Mit Passkey angemeldet'],
  readInvitation: ['Opened invitation', 'Einladung geöffnet'],
  acceptInvitation: ['Set password from invitation', 'Passwort per Einladung gesetzt'],
  finishInvitation: ['Accepted invitation', 'Einladung angenommen'],
  signOut: ['Signed out', 'Abgemeldet'],
  stepUpOptions: ['Started identity confirmation', 'Bestätigung der Identität begonnen'],
  stepUp: ['Confirmed identity', 'Identität bestätigt'],
  changeMe: ['Changed profile', 'Profil geändert'],
  changePassword: ['Changed password', 'Passwort geändert'],
  enrolTotp: ['Started authenticator app setup', 'Einrichtung der Authenticator-App begonnen'],
  finishTotp: ['Connected authenticator app', 'Authenticator-App verbunden'],
  newPasskeyOptions: ['Started passkey setup', 'Einrichtung eines Passkeys begonnen'],
  addPasskey: ['Added passkey', 'Passkey hinzugefügt'],
  removePasskey: ['Removed passkey', 'Passkey entfernt'],
  endSession: ['Signed out session', 'Sitzung abgemeldet'],
  endOtherSessions: ['Signed out other sessions', 'Andere Sitzungen abgemeldet'],
  // Developer.
  runCall: ['Ran API call again', 'API-Aufruf erneut ausgeführt'],
  openInbox: ['Created webhook inbox', 'Webhook-Eingang angelegt'],
  changeInbox: ['Changed webhook inbox', 'Webhook-Eingang geändert'],
  closeInbox: ['Deleted webhook inbox', 'Webhook-Eingang gelöscht'],
  putScenario: ['Saved scenario', 'Szenario gespeichert'],
  removeScenario: ['Deleted scenario', 'Szenario gelöscht'],
  attachScenario: ['Attached scenario', 'Szenario angehängt'],
  detachScenario: ['Detached scenario', 'Szenario gelöst'],
  moveClock: ['Changed test clock', 'Testuhr gestellt'],
  issueWalletToken: ['Created wallet token', 'Wallet-Token erzeugt'],
  // Audit log.
  listAudit: ['Viewed audit log', 'Prüfprotokoll angesehen'],
  exportAudit: ['Exported audit log', 'Prüfprotokoll exportiert'],
  verifyAudit: ['Verified audit log', 'Prüfprotokoll geprüft'],
  eraseCardData: ['Erased old card data', 'Alte Kartendaten gelöscht'],
} as const satisfies {
  readonly [Name in AdminEndpointName | 'start' | 'stop' | 'eraseCardData']?: readonly [en: string, de: string];
};

type ActionTexts = Readonly<Record<string, string>>;

const textsIn = (at: 0 | 1): ActionTexts =>
  Object.fromEntries(Object.entries(actions).map(([name, labels]) => [name, labels[at]]));

export const auditActionTexts: Texts<ActionTexts> = texts({ en: textsIn(0), de: textsIn(1) });

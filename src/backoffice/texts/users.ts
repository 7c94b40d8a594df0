import { type Right, type RoleName, rights, roles } from '../../spec/rights.ts';
import { texts } from './texts.ts';

/** Users, roles and approvals. */
export const userTexts = texts({
  en: {
    users: 'Users',
    usersSays: 'Users with their roles at each entity.',
    usersNone: 'No users yet',
    usersNoneSays: 'Invite a user. The invitation link is valid for 72 hours.',
    invite: 'Invite user',
    inviteTitle: 'Invite user',
    at: (name: string) => `at ${name}`,
    chooseNode: 'Choose an entity',
    roles: 'Roles',
    'state.invited': 'Invited',
    'state.active': 'Active',
    'state.disabled': 'Disabled',
    locked: 'Locked out',
    secondFactor: 'Second factor',
    app: 'App',
    passkeys: (count: number) => (count === 1 ? '1 passkey' : `${count} passkeys`),
    none: 'None',
    signedIn: 'Last sign-in',
    link: 'Invitation link',
    linkSays: (name: string) => `Send this link to ${name} through a safe channel. It is shown only once.`,
    changeRoles: 'Change roles',
    rolesChanged: 'Roles updated.',
    addRole: 'Add role',
    removeRole: (role: string, node: string) => `Remove ${role} at ${node}`,
    disable: 'Disable',
    disableSays: (name: string) => `${name} is signed out and can no longer sign in.`,
    enable: 'Enable',
    enableSays: (name: string) => `${name} can sign in again.`,
    stateChanged: 'User updated.',
    reset: 'Reset sign-in',
    resetSays: (name: string) =>
      `${name} gets a link to choose a new password and set up a new authenticator app. The current ones stop working when the link is used.`,
    endSessions: 'Sign out everywhere',
    endSessionsSays: (name: string) => `Ends all sessions of ${name}.`,
    sessionsEnded: 'Sessions ended.',
    notManageable: 'This user has more rights than you. Only a user with the same rights can change this user.',
    userId: 'User ID',
    // Roles.
    rolesSays: 'A role is a set of rights. Built-in roles cannot be changed.',
    makeRole: 'Create role',
    changeRole: 'Edit role',
    builtIn: 'Built-in roles',
    custom: 'Custom roles',
    customNone: 'No custom roles yet',
    customNoneSays: 'Create one if the built-in roles allow too much or too little.',
    rights: 'Rights',
    rightsCount: (count: number) => (count === 1 ? '1 right' : `${count} rights`),
    roleSaved: 'Role saved.',
    removeRoleSays: 'A role can be deleted only when no user has it.',
    roleRemoved: 'Role deleted.',
    notGivable: 'Exceeds your own rights',
    // Approvals.
    approvals: 'Approvals',
    approvalsSays: 'Actions above a limit, and changes that weaken the approval rules, need a second user.',
    approvalsNone: 'No pending approvals',
    approvalsNoneSays: 'Limits are set in Account data, under Limits and approvals.',
    waiting: 'Pending',
    'what.capturePayment': 'Capture',
    'what.chargebackPayment': 'Chargeback',
    'what.reverseChargeback': 'Chargeback reversal',
    'what.changeEntity': 'Change of approval limits',
    'what.changeUser': 'Change of a user',
    'what.changeRole': 'Change of a role',
    askedBy: 'Requested by',
    you: 'you',
    asked: 'Requested',
    decidedBy: 'Decided by',
    noteSays: 'Shown to the requester and in the audit log',
    approve: 'Approve',
    refuse: 'Reject',
    approveSays: (what: string, amount: string | null) =>
      `${amount === null ? what : `${what} of ${amount}`} is executed immediately.`,
    refuseSays: (what: string, amount: string | null) => `${amount === null ? what : `${what} of ${amount}`} is not executed.`,
    approved: 'Approved and executed.',
    refused: 'Rejected.',
    another: 'Another user must decide',
    'approval.waiting': 'Pending',
    'approval.approved': 'Executing',
    'approval.refused': 'Rejected',
    'approval.done': 'Executed',
    'approval.failed': 'Failed',
    'approval.expired': 'Expired',
    unknownPerson: 'Deleted user',
  },
  de: {
    users: 'Benutzer',
    usersSays: 'Benutzer mit ihren Rollen je Einheit.',
    usersNone: 'Noch keine Benutzer',
    usersNoneSays: 'Einen Benutzer einladen. Der Link gilt 72 Stunden.',
    invite: 'Benutzer einladen',
    inviteTitle: 'Benutzer einladen',
    at: (name: string) => `bei ${name}`,
    chooseNode: 'Einheit wählen',
    roles: 'Rollen',
    'state.invited': 'Eingeladen',
    'state.active': 'Aktiv',
    'state.disabled': 'Gesperrt',
    locked: 'Vorübergehend gesperrt',
    secondFactor: 'Zweiter Faktor',
    app: 'App',
    passkeys: (count: number) => (count === 1 ? '1 Passkey' : `${count} Passkeys`),
    none: 'Keiner',
    signedIn: 'Letzte Anmeldung',
    link: 'Einladungslink',
    linkSays: (name: string) => `Diesen Link auf sicherem Weg an ${name} geben. Er wird nur einmal gezeigt.`,
    changeRoles: 'Rollen ändern',
    rolesChanged: 'Rollen geändert.',
    addRole: 'Rolle hinzufügen',
    removeRole: (role: string, node: string) => `${role} bei ${node} entfernen`,
    disable: 'Sperren',
    disableSays: (name: string) => `${name} wird abgemeldet und kann sich nicht mehr anmelden.`,
    enable: 'Entsperren',
    enableSays: (name: string) => `${name} kann sich wieder anmelden.`,
    stateChanged: 'Benutzer geändert.',
    reset: 'Anmeldung zurücksetzen',
    resetSays: (name: string) =>
      `${name} bekommt einen Link, um ein neues Passwort zu wählen und eine neue Authenticator-App einzurichten. Die jetzigen enden, sobald der Link benutzt wird.`,
    endSessions: 'Überall abmelden',
    endSessionsSays: (name: string) => `Beendet alle Sitzungen von ${name}.`,
    sessionsEnded: 'Sitzungen beendet.',
    notManageable: 'Dieser Benutzer hat mehr Rechte. Ändern kann ihn nur, wer ebenso viele hat.',
    userId: 'Benutzer-ID',
    rolesSays: 'Eine Rolle ist eine Liste von Rechten. Eingebaute Rollen lassen sich nicht ändern.',
    makeRole: 'Rolle erstellen',
    changeRole: 'Rolle bearbeiten',
    builtIn: 'Eingebaute Rollen',
    custom: 'Eigene Rollen',
    customNone: 'Noch keine eigenen Rollen',
    customNoneSays: 'Eine erstellen, wenn die eingebauten Rollen zu viel oder zu wenig erlauben.',
    rights: 'Rechte',
    rightsCount: (count: number) => (count === 1 ? '1 Recht' : `${count} Rechte`),
    roleSaved: 'Rolle gespeichert.',
    removeRoleSays: 'Eine Rolle lässt sich nur löschen, wenn kein Benutzer sie hat.',
    roleRemoved: 'Rolle gelöscht.',
    notGivable: 'Mehr als die eigenen Rechte',
    approvals: 'Freigaben',
    approvalsSays: 'Aktionen über einem Limit und Änderungen, die die Freigaberegeln schwächen, brauchen einen zweiten Benutzer.',
    approvalsNone: 'Keine offenen Freigaben',
    approvalsNoneSays: 'Limits stehen in den Kontodaten unter Limits und Freigaben.',
    waiting: 'Offen',
    'what.capturePayment': 'Einzug',
    'what.chargebackPayment': 'Rückbelastung',
    'what.reverseChargeback': 'Rücknahme einer Rückbelastung',
    'what.changeEntity': 'Änderung der Freigabelimits',
    'what.changeUser': 'Änderung eines Benutzers',
    'what.changeRole': 'Änderung einer Rolle',
    askedBy: 'Angefordert von',
    you: 'selbst',
    asked: 'Angefordert',
    decidedBy: 'Entschieden von',
    noteSays: 'Für den Antragsteller und das Prüfprotokoll',
    approve: 'Freigeben',
    refuse: 'Ablehnen',
    approveSays: (what: string, amount: string | null) =>
      `${amount === null ? what : `${what} über ${amount}`} wird sofort ausgeführt.`,
    refuseSays: (what: string, amount: string | null) =>
      `${amount === null ? what : `${what} über ${amount}`} wird nicht ausgeführt.`,
    approved: 'Freigegeben und ausgeführt.',
    refused: 'Abgelehnt.',
    another: 'Ein anderer Benutzer muss entscheiden',
    'approval.waiting': 'Offen',
    'approval.approved': 'Wird ausgeführt',
    'approval.refused': 'Abgelehnt',
    'approval.done': 'Ausgeführt',
    'approval.failed': 'Fehlgeschlagen',
    'approval.expired': 'Abgelaufen',
    unknownPerson: 'Gelöschter Benutzer',
  },
});

export type UserWords = (typeof userTexts)['en'];

/** Names and descriptions of rights and built-in roles. */

type Named<Name extends string> = Readonly<Record<Name, readonly [name: string, says: string]>>;

const namesEn: Readonly<Record<Right, string>> = {
  readPayments: 'View payments',
  capture: 'Capture',
  reverse: 'Reverse',
  refund: 'Refund',
  chargeback: 'Record chargebacks',
  approve: 'Approve',
  registrations: 'Delete stored payment methods',
  schedules: 'Cancel schedules',
  setUpSchedules: 'Create and change schedules',
  paymentLinks: 'Payment links',
  readWebhooks: 'View webhooks',
  webhooks: 'Manage webhooks',
  readRisk: 'View risk',
  risk: 'Manage risk rules',
  review: 'Decide on reviews',
  readSettlement: 'View settlement',
  settlement: 'Manage settlement',
  ledger: 'View balances',
  readSettings: 'View account data',
  settings: 'Change settings',
  entities: 'Add merchants',
  tokens: 'Manage access tokens',
  keys: 'Manage keys',
  users: 'Manage users',
  audit: 'View the audit log',
  calls: 'View API calls',
  clock: 'Test clock',
  scenarios: 'Scenarios',
};

const rightsDe: Named<Right> = {
  readPayments: [
    'Zahlungen sehen',
    'Zahlungen mit Verlauf, Registrierungen, Checkouts, Zeitpläne und die Übersicht sehen und exportieren.',
  ],
  capture: ['Einziehen', 'Autorisiertes einziehen.'],
  reverse: ['Stornieren', 'Zahlungen stornieren.'],
  refund: ['Erstatten', 'Zahlungen erstatten.'],
  chargeback: ['Rückbelastungen erfassen', 'Erfassen, was eine Bank zurückgeholt oder zurückgegeben hat.'],
  approve: ['Freigeben', 'Aktionen anderer Benutzer über dem Limit freigeben oder ablehnen.'],
  registrations: ['Gespeicherte Zahlungsmittel löschen', 'Gespeicherte Zahlungsmittel löschen.'],
  schedules: ['Zeitpläne beenden', 'Zeitpläne beenden.'],
  setUpSchedules: ['Zeitpläne anlegen und ändern', 'Zeitpläne anlegen und ändern, die gespeicherte Zahlungsmittel belasten.'],
  paymentLinks: ['Zahlungslinks', 'Zahlungslinks erstellen und deaktivieren.'],
  readWebhooks: ['Webhooks sehen', 'Webhooks und ihre Zustellungen sehen.'],
  webhooks: ['Webhooks verwalten', 'Webhooks einrichten, ihre Schlüssel rotieren und Zustellungen wiederholen.'],
  readRisk: ['Risiko sehen', 'Regeln, Listen und Prüfungen sehen; Risikobewertungen lesen und Regeln rückwirkend testen.'],
  risk: ['Risikoregeln verwalten', 'Risikoregeln und Listen ändern.'],
  review: ['Prüfungen entscheiden', 'Über Zahlungen entscheiden, die auf eine Prüfung warten.'],
  readSettlement: ['Abrechnung sehen', 'Abrechnungsdateien, ihre Zuordnung und Berichte sehen.'],
  settlement: ['Abrechnung verwalten', 'Abrechnungsdateien hochladen und Ausnahmen klären.'],
  ledger: ['Salden sehen', 'Kontostände eines Händlers lesen, jetzt und zu jedem früheren Zeitpunkt.'],
  readSettings: ['Kontodaten sehen', 'Hierarchie, Kanäle und Einstellungen sehen.'],
  settings: ['Einstellungen ändern', 'Einstellungen von Händlern und Kanälen ändern und Kanäle anlegen.'],
  entities: ['Händler anlegen', 'Bereiche und Händler anlegen.'],
  tokens: ['Zugangstoken verwalten', 'Zugangstoken ausgeben, rotieren und widerrufen.'],
  keys: ['Schlüssel verwalten', 'Wallet-Schlüssel und Zugangsdaten der Server setzen, an die Dateien gehen.'],
  users: ['Benutzer verwalten', 'Benutzer einladen, Rollen vergeben, Rollen erstellen, Sitzungen beenden.'],
  audit: ['Prüfprotokoll lesen', 'Das Prüfprotokoll lesen und exportieren.'],
  calls: ['API-Aufrufe ansehen', 'API-Aufrufe ansehen und wiederholen; den Webhook-Eingang der Sandbox lesen.'],
  clock: ['Testuhr', 'Die Uhr eines Händlers lesen, anhalten, vorstellen und zurücksetzen; nur in der Testumgebung.'],
  scenarios: ['Szenarien', 'Szenarien ansehen, anlegen und Kanälen oder Karten zuordnen; nur in der Testumgebung.'],
};

const roleNamesEn: Readonly<Record<RoleName, string>> = {
  operator: 'Operator',
  administrator: 'Administrator',
  finance: 'Finance',
  support: 'Support',
  developer: 'Developer',
  readOnly: 'Read-only',
};

const rolesDe: Named<RoleName> = {
  operator: ['Betrieb', 'Betreibt die Installation: alle Rechte.'],
  administrator: ['Administration', 'Alles eines Händlers oder Bereichs, außer Händler und Bereiche anzulegen.'],
  finance: ['Finanzen', 'Geld: Einzüge, Erstattungen, Rückbelastungen, Zeitpläne, Abrechnung, Salden.'],
  support: [
    'Support',
    'Für den Kundendienst: Zahlungen finden, erstatten und stornieren, Zeitpläne beenden, Prüfungen entscheiden.',
  ],
  developer: ['Entwicklung', 'Für Integrationen: API-Aufrufe, Webhooks, Szenarien, Testuhr.'],
  readOnly: ['Nur lesen', 'Sieht alles und ändert nichts.'],
};

type Keys = { readonly [Name in Right as `right.${Name}` | `rightSays.${Name}`]: string } & {
  readonly [Name in RoleName as `role.${Name}` | `roleSays.${Name}`]: string;
};

const spread = (kind: 'right' | 'role', named: Named<string>): readonly (readonly [string, string])[] =>
  Object.entries(named).flatMap(([name, [label, says]]) => [
    [`${kind}.${name}`, label],
    [`${kind}Says.${name}`, says],
  ]);

const inEnglish = <Name extends string>(
  names: Readonly<Record<Name, string>>,
  table: Readonly<Record<Name, { readonly says: string }>>,
) =>
  Object.fromEntries(
    Object.entries(names).map(([name, label]) => [name, [label, table[name as Name].says]]),
  ) as unknown as Named<Name>;

const keys = (ofRights: Named<Right>, ofRoles: Named<RoleName>): Keys =>
  Object.fromEntries([...spread('right', ofRights), ...spread('role', ofRoles)]) as unknown as Keys;

export const rightTexts = texts({
  en: keys(inEnglish(namesEn, rights), inEnglish(roleNamesEn, roles)),
  de: keys(rightsDe, rolesDe),
});

/** Why approval is needed, and who may approve. */
export const fourEyesTexts = texts({
  en: {
    'yours.single': (act: string, sum: string, limit: string) => `${act} of ${sum} needs approval: your limit is ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: your total on this payment would be ${sum}; limit ${limit}. A second user must approve it.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: your total today (UTC) would be ${sum}; limit ${limit}. A second user must approve it.`,
    'theirs.single': (sum: string, limit: string) => `${sum} exceeds the limit of ${limit}.`,
    'theirs.payment': (sum: string, limit: string) => `The user’s total on this payment would be ${sum}; limit ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `The user’s total of that day (UTC) would be ${sum}; limit ${limit}.`,
    weakens: 'Weakens the approval rules.',
    limits: (before: string, after: string) => `Limits: ${before} → ${after}`,
    off: 'off',
    approvers: (names: string) => `Can be approved by: ${names}`,
    nobody: 'No other user can approve this. Give a second user a role with the right Approve.',
    more: (count: number) => `${count} more`,
    askedSecond: (names: string) => `This weakens the approval rules and needs a second user. Can be approved by: ${names}.`,
  },
  de: {
    'yours.single': (act: string, sum: string, limit: string) =>
      `${act} über ${sum} braucht eine Freigabe: das eigene Limit ist ${limit}.`,
    'yours.payment': (act: string, sum: string, limit: string) =>
      `${act}: Die eigene Summe an dieser Zahlung wäre ${sum}; Limit ${limit}. Ein zweiter Benutzer muss freigeben.`,
    'yours.day': (act: string, sum: string, limit: string) =>
      `${act}: Die eigene Summe von heute (UTC) wäre ${sum}; Limit ${limit}. Ein zweiter Benutzer muss freigeben.`,
    'theirs.single': (sum: string, limit: string) => `${sum} liegt über dem Limit von ${limit}.`,
    'theirs.payment': (sum: string, limit: string) => `Die Summe des Benutzers an dieser Zahlung wäre ${sum}; Limit ${limit}.`,
    'theirs.day': (sum: string, limit: string) => `Die Tagessumme (UTC) des Benutzers wäre ${sum}; Limit ${limit}.`,
    weakens: 'Schwächt die Freigaberegeln.',
    limits: (before: string, after: string) => `Limits: ${before} → ${after}`,
    off: 'aus',
    approvers: (names: string) => `Freigeben können: ${names}`,
    nobody: 'Kein anderer Benutzer kann das freigeben. Ein zweiter Benutzer braucht eine Rolle mit dem Recht Freigeben.',
    more: (count: number) => `${count} weitere`,
    askedSecond: (names: string) =>
      `Das schwächt die Freigaberegeln und braucht einen zweiten Benutzer. Freigeben können: ${names}.`,
  },
});

export type FourEyesWords = (typeof fourEyesTexts)['en'];

const NAMES_MAX = 3;

/** A few names, and how many more. */
export const namesText = (t: FourEyesWords, names: readonly string[]): string =>
  [...names.slice(0, NAMES_MAX), ...(names.length > NAMES_MAX ? [t.more(names.length - NAMES_MAX)] : [])].join(', ');

/** The users who may approve, in a sentence. */
export const approversText = (t: FourEyesWords, names: readonly string[]): string =>
  names.length === 0 ? t.nobody : t.approvers(namesText(t, names));

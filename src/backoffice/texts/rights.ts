import { type Right, type RoleName, rights, roles } from '../../spec/rights.ts';
import { texts } from './texts.ts';

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

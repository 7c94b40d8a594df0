import type { ComponentType } from 'react';
import type { Right } from '../spec/rights.ts';

/** The entries of the left rail in their order. An entry is shown to users who may open one of its pages. */
export const rail = {
  dashboard: { en: 'Dashboard', de: 'Übersicht', key: 'd' },
  payments: { en: 'Payments', de: 'Zahlungen', key: 'p' },
  registrations: { en: 'Registrations', de: 'Registrierungen', key: 'r' },
  checkouts: { en: 'Checkouts', de: 'Checkouts', key: 'c' },
  schedules: { en: 'Schedules', de: 'Zeitpläne', key: 's' },
  risk: { en: 'Risk', de: 'Risiko', key: 'k' },
  webhooks: { en: 'Webhooks', de: 'Webhooks', key: 'w' },
  settlement: { en: 'Settlement', de: 'Abrechnung', key: 't' },
  ledger: { en: 'Ledger', de: 'Hauptbuch', key: 'l' },
  developer: { en: 'Developer', de: 'Entwicklung', key: 'v' },
  administration: { en: 'Administration', de: 'Verwaltung', key: 'a' },
  audit: { en: 'Audit log', de: 'Prüfprotokoll', key: 'u' },
} as const;

export type RailName = keyof typeof rail;

export type PageRow = {
  /** `$id` matches one segment; pages read it with useAddress(). */
  readonly path: string;
  /** In the title of the window, below its place in the rail, and in the palette. */
  readonly title: { readonly en: string; readonly de: string };
  /** Null: every signed-in user. A list: one of them is enough. */
  readonly right: Right | readonly Right[] | null;
  /** The rail entry of the page. The first page of an entry, without `$`, is its link; the others are listed below it. */
  readonly rail?: RailName;
  /** Only in the test environment. */
  readonly isTestOnly?: true;
  /** For the test that opens every page: the value of `$id`. */
  readonly example?: string;
  readonly load: () => Promise<ComponentType>;
};

/** Every page after sign-in. The routes, the rail, the palette and the test that opens each of them read this table. */
export const pages = {
  payments: {
    path: '/payments',
    title: { en: 'Payments', de: 'Zahlungen' },
    right: 'readPayments',
    rail: 'payments',
    load: async () => (await import('./pages/payments/Payments.tsx')).Payments,
  },
  payment: {
    path: '/payments/$id',
    title: { en: 'Payment', de: 'Zahlung' },
    right: 'readPayments',
    rail: 'payments',
    example: '0'.repeat(32),
    load: async () => (await import('./pages/payments/PaymentPage.tsx')).PaymentPage,
  },
  customers: {
    path: '/customers',
    title: { en: 'Customers', de: 'Kunden' },
    right: 'readPayments',
    rail: 'payments',
    load: async () => (await import('./pages/Customers.tsx')).Customers,
  },
  registrations: {
    path: '/registrations',
    title: { en: 'Registrations', de: 'Registrierungen' },
    right: 'readPayments',
    rail: 'registrations',
    load: async () => (await import('./pages/Registrations.tsx')).Registrations,
  },
  registration: {
    path: '/registrations/$id',
    title: { en: 'Registration', de: 'Registrierung' },
    right: 'readPayments',
    rail: 'registrations',
    example: '0'.repeat(32),
    load: async () => (await import('./pages/Registrations.tsx')).RegistrationPage,
  },
  mandates: {
    path: '/mandates',
    title: { en: 'Mandates', de: 'Mandate' },
    right: 'readPayments',
    rail: 'registrations',
    load: async () => (await import('./pages/Mandates.tsx')).Mandates,
  },
  mandate: {
    path: '/mandates/$id',
    title: { en: 'Mandate', de: 'Mandat' },
    right: 'readPayments',
    rail: 'registrations',
    example: '62616e6b2f4d2d31',
    load: async () => (await import('./pages/Mandates.tsx')).MandatePage,
  },
  checkouts: {
    path: '/checkouts',
    title: { en: 'Checkouts', de: 'Checkouts' },
    right: 'readPayments',
    rail: 'checkouts',
    load: async () => (await import('./pages/checkouts/Checkouts.tsx')).Checkouts,
  },
  checkout: {
    path: '/checkouts/$id',
    title: { en: 'Checkout', de: 'Checkout' },
    right: 'readPayments',
    rail: 'checkouts',
    example: `${'0'.repeat(32)}.none`,
    load: async () => (await import('./pages/checkouts/Checkouts.tsx')).CheckoutPage,
  },
  schedules: {
    path: '/schedules',
    title: { en: 'Schedules', de: 'Zeitpläne' },
    right: 'readPayments',
    rail: 'schedules',
    load: async () => (await import('./pages/schedules/Schedules.tsx')).Schedules,
  },
  schedule: {
    path: '/schedules/$id',
    title: { en: 'Schedule', de: 'Zeitplan' },
    right: 'readPayments',
    rail: 'schedules',
    example: '0'.repeat(32),
    load: async () => (await import('./pages/schedules/Schedules.tsx')).SchedulePage,
  },
  riskRules: {
    path: '/risk/rules',
    title: { en: 'Risk rules', de: 'Risikoregeln' },
    right: 'readRisk',
    rail: 'risk',
    load: async () => (await import('./pages/risk/Rules.tsx')).Rules,
  },
  riskReviews: {
    path: '/risk/reviews',
    title: { en: 'Reviews', de: 'Prüfungen' },
    right: 'readRisk',
    rail: 'risk',
    load: async () => (await import('./pages/risk/Reviews.tsx')).Reviews,
  },
  riskLists: {
    path: '/risk/lists',
    title: { en: 'Risk lists', de: 'Risikolisten' },
    right: 'readRisk',
    rail: 'risk',
    load: async () => (await import('./pages/risk/Lists.tsx')).Lists,
  },
  riskWhy: {
    path: '/risk/payments/$id',
    title: { en: 'Risk evaluation', de: 'Risikobewertung' },
    right: 'readRisk',
    rail: 'risk',
    example: '0'.repeat(32),
    load: async () => (await import('./pages/risk/Why.tsx')).Why,
  },
  dashboard: {
    path: '/',
    title: { en: 'Dashboard', de: 'Übersicht' },
    right: 'readPayments',
    rail: 'dashboard',
    load: async () => (await import('./pages/dashboard/Dashboard.tsx')).Dashboard,
  },
  accountData: {
    path: '/administration/account',
    title: { en: 'Account data', de: 'Kontodaten' },
    right: 'readSettings',
    rail: 'administration',
    load: async () => (await import('./pages/entity/AccountData.tsx')).AccountData,
  },
  routing: {
    path: '/administration/routing',
    title: { en: 'Routing', de: 'Routing' },
    right: 'readSettings',
    rail: 'administration',
    load: async () => (await import('./pages/routing/Routing.tsx')).Routing,
  },
  users: {
    path: '/administration/users',
    title: { en: 'Users', de: 'Benutzer' },
    right: 'users',
    rail: 'administration',
    load: async () => (await import('./pages/users/Users.tsx')).Users,
  },
  user: {
    path: '/administration/users/$id',
    title: { en: 'User', de: 'Benutzer' },
    right: 'users',
    rail: 'administration',
    example: '0'.repeat(32),
    load: async () => (await import('./pages/users/UserPage.tsx')).UserPage,
  },
  roles: {
    path: '/administration/roles',
    title: { en: 'Roles', de: 'Rollen' },
    right: 'users',
    rail: 'administration',
    load: async () => (await import('./pages/users/Roles.tsx')).Roles,
  },
  approvals: {
    path: '/administration/approvals',
    title: { en: 'Approvals', de: 'Freigaben' },
    right: ['approve', 'refund', 'capture', 'reverse', 'chargeback'],
    rail: 'administration',
    load: async () => (await import('./pages/users/Approvals.tsx')).Approvals,
  },
  notices: {
    path: '/administration/notices',
    title: { en: 'Notices', de: 'Hinweise' },
    right: ['webhooks', 'tokens', 'keys'],
    rail: 'administration',
    load: async () => (await import('./pages/Audit.tsx')).Notices,
  },
  account: {
    path: '/account',
    title: { en: 'Your account', de: 'Mein Konto' },
    right: null,
    load: async () => (await import('./pages/account/Account.tsx')).Account,
  },
  calls: {
    path: '/developer/calls',
    title: { en: 'API calls', de: 'API-Aufrufe' },
    right: 'calls',
    rail: 'developer',
    load: async () => (await import('./pages/developer/Calls.tsx')).Calls,
  },
  call: {
    path: '/developer/calls/$id',
    title: { en: 'API call', de: 'API-Aufruf' },
    right: 'calls',
    rail: 'developer',
    example: '00000000000000000000000000000000',
    load: async () => (await import('./pages/developer/Call.tsx')).Call,
  },
  inbox: {
    path: '/developer/inbox',
    title: { en: 'Webhook inbox', de: 'Webhook-Eingang' },
    right: 'calls',
    rail: 'developer',
    isTestOnly: true,
    load: async () => (await import('./pages/developer/Inbox.tsx')).Inbox,
  },
  cards: {
    path: '/developer/cards',
    title: { en: 'Test cards', de: 'Testkarten' },
    right: 'calls',
    rail: 'developer',
    isTestOnly: true,
    load: async () => (await import('./pages/developer/Cards.tsx')).Cards,
  },
  scenarios: {
    path: '/developer/scenarios',
    title: { en: 'Scenarios', de: 'Szenarien' },
    right: 'scenarios',
    rail: 'developer',
    isTestOnly: true,
    load: async () => (await import('./pages/developer/Scenarios.tsx')).Scenarios,
  },
  scenario: {
    path: '/developer/scenarios/$name',
    title: { en: 'Scenario', de: 'Szenario' },
    right: 'scenarios',
    rail: 'developer',
    isTestOnly: true,
    example: 'insufficient-funds',
    load: async () => (await import('./pages/developer/Scenario.tsx')).Scenario,
  },
  clock: {
    path: '/developer/clock',
    title: { en: 'Test clock', de: 'Testuhr' },
    right: 'clock',
    rail: 'developer',
    isTestOnly: true,
    load: async () => (await import('./pages/developer/Clock.tsx')).Clock,
  },
  wallets: {
    path: '/developer/wallets',
    title: { en: 'Wallet tokens', de: 'Wallet-Tokens' },
    right: 'calls',
    rail: 'developer',
    isTestOnly: true,
    load: async () => (await import('./pages/developer/Wallets.tsx')).Wallets,
  },
  reference: {
    path: '/developer/reference',
    title: { en: 'API reference', de: 'API-Referenz' },
    right: 'calls',
    rail: 'developer',
    load: async () => (await import('./pages/developer/Cards.tsx')).Reference,
  },
  webhooks: {
    path: '/webhooks',
    title: { en: 'Webhooks', de: 'Webhooks' },
    right: 'readWebhooks',
    rail: 'webhooks',
    load: async () => (await import('./pages/webhooks/Webhooks.tsx')).Webhooks,
  },
  webhook: {
    path: '/webhooks/$id',
    title: { en: 'Webhook', de: 'Webhook' },
    right: 'readWebhooks',
    rail: 'webhooks',
    example: '0123456789abcdef0123456789abcdef',
    load: async () => (await import('./pages/webhooks/Webhook.tsx')).Webhook,
  },
  settlement: {
    path: '/settlement',
    title: { en: 'Settlement files', de: 'Abrechnungsdateien' },
    right: 'readSettlement',
    rail: 'settlement',
    load: async () => (await import('./pages/settlement/Settlement.tsx')).Settlement,
  },
  settlementFile: {
    path: '/settlement/files/$id',
    title: { en: 'Settlement file', de: 'Abrechnungsdatei' },
    right: 'readSettlement',
    rail: 'settlement',
    example: '0123456789abcdef0123456789abcdef',
    load: async () => (await import('./pages/settlement/Settlement.tsx')).SettlementFile,
  },
  exceptions: {
    path: '/settlement/exceptions',
    title: { en: 'Exceptions', de: 'Ausnahmen' },
    right: 'readSettlement',
    rail: 'settlement',
    load: async () => (await import('./pages/settlement/Exceptions.tsx')).Exceptions,
  },
  unsettled: {
    path: '/settlement/unsettled',
    title: { en: 'Unsettled payments', de: 'Nicht abgerechnete Zahlungen' },
    right: 'readSettlement',
    rail: 'settlement',
    load: async () => (await import('./pages/settlement/Exceptions.tsx')).Unsettled,
  },
  reports: {
    path: '/reports',
    title: { en: 'Reports', de: 'Berichte' },
    right: 'readSettlement',
    rail: 'settlement',
    load: async () => (await import('./pages/settlement/Reports.tsx')).Reports,
  },
  ledger: {
    path: '/ledger',
    title: { en: 'Ledger', de: 'Hauptbuch' },
    right: 'ledger',
    rail: 'ledger',
    load: async () => (await import('./pages/Ledger.tsx')).Ledger,
  },
  audit: {
    path: '/audit',
    title: { en: 'Audit log', de: 'Prüfprotokoll' },
    right: 'audit',
    rail: 'audit',
    load: async () => (await import('./pages/Audit.tsx')).Audit,
  },
} as const satisfies Readonly<Record<string, PageRow>>;

/** The rows in the order of the table. */
export const pageRows: readonly (PageRow & { readonly name: string })[] = Object.entries(pages).map(([name, row]) => ({
  name,
  ...(row as PageRow),
}));

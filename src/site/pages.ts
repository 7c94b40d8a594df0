/** The pages of the documentation site in their order. A page of `docs/` that has no row here belongs to the last group. */

export type Group = { readonly title: string; readonly pages: readonly string[] };

/** Paths below `docs/`, without `.md`. `reference` is made from the tables of the API. */
const groups: readonly Group[] = [
  {
    title: 'Guides',
    pages: [
      'guides/first-payment',
      'guides/widget',
      'guides/webhooks',
      'guides/stored-cards',
      'guides/subscriptions',
      'guides/3d-secure',
      'guides/refunds',
      'guides/risk',
      'guides/reconciliation',
      'guides/testing',
    ],
  },
  {
    title: 'Reference',
    pages: ['endpoints', 'reference', 'result-codes', 'console', 'client', 'generatedClients', 'testing', 'compatibility'],
  },
  {
    title: 'Payments',
    pages: ['widget', 'checkouts', 'webhooks', 'queries', 'schedules', 'risk', 'card-numbers'],
  },
  { title: 'Sandbox', pages: ['sandbox', 'simulator', 'scenarios', 'clock', 'inspector'] },
  { title: 'Money', pages: ['authorisations', 'reconciliation', 'settlement', 'ledger'] },
  {
    title: 'Connectors',
    pages: [
      'connectors/accounts',
      'connectors/routing',
      'connectors/adyen',
      'connectors/stripe',
      'connectors/sepa',
      'connectors/upstream',
    ],
  },
  {
    title: 'Operations',
    pages: [
      'installing',
      'goingLive',
      'postgresql',
      'scale',
      'settings',
      'operations',
      'monitoring',
      'backup',
      'rotation',
      'upgrading',
      'pciDss',
      'backoffice',
      'users',
      'audit',
      'retention',
      'performance',
      'supportedVersions',
    ],
  },
];

/** The groups with the pages that exist, and one more for pages without a row. */
export function groupsOf(existing: ReadonlySet<string>): readonly Group[] {
  const known = new Set(groups.flatMap(({ pages }) => pages));
  const others = [...existing].filter((page) => page !== '' && !known.has(page)).toSorted();
  return [...groups, { title: 'More', pages: others }]
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => existing.has(page)) }))
    .filter(({ pages }) => pages.length > 0);
}

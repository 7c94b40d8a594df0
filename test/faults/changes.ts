type Change = { readonly file: string; readonly find: string; readonly put: string };

/** The acquirer's records survive the process. */
const records: readonly Change[] = [
  {
    file: '/src/connectors/simulator/acquirerRecords.ts',
    find: 'entries.set(id, entry);',
    put: 'entries.set(id, entry); globalThis.acquirerBooked?.(id, entry.paymentType, entry.answer.is);',
  },
];

/**
 * Changes to the sources of a gateway: `none` only makes its acquirer's records survive, each of the others is a fault that the tests in
 * this folder must find. A change names a source file, a text in it and its replacement. No setting of the gateway does any of this.
 */
const table = {
  none: [],
  /** Stores acknowledge before they are durable: the control of the kill tests. */
  'early acknowledgement': [
    {
      file: '/src/app/start.ts',
      find: 'openSqliteStore({ dataDir: config.dataDir })',
      put: "openSqliteStore({ dataDir: config.dataDir, durability: 'off' })",
    },
    {
      file: '/src/app/start.ts',
      find: 'openPostgresStore({ url: config.databaseUrl,',
      put: "openPostgresStore({ durability: 'off', url: config.databaseUrl,",
    },
  ],
  /** The payment of a schedule is charged first, and the schedule is saved in a commit of its own. */
  'charge first': [
    {
      file: '/src/schedules/runDue.ts',
      find: 'schedule: change,',
      put: '',
    },
    {
      file: '/src/schedules/runDue.ts',
      find: "if (performed.is === 'overtaken') return null;",
      put: "if (performed.is === 'overtaken' || !(await saveSchedule(service, change.schedule))) return null;",
    },
  ],
  /** A process knows only the wallet tokens that it has used itself since its start. */
  'tokens in memory': [
    {
      file: '/src/payments/order.ts',
      find: 'tokenId: wallet.card.tokenId, until',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text.
      put: 'tokenId: `${process.pid} ${wallet.card.tokenId}`, until',
    },
  ],
  /** A settlement file becomes visible as soon as its first lines are matched. */
  'kept in portions': [
    {
      file: '/src/settlement/in/importFile.ts',
      find: 'before += lines.length;',
      put: 'before += lines.length; if (before === lines.length) await store.keepFile({ ...file, lines: before });',
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

export type ChangeName = keyof typeof table;
export const changeNames = Object.keys(table) as readonly ChangeName[];

export type SourceChanges = {
  /** How the paths of the sources end that it changes. */
  readonly files: readonly string[];
  /** The changed text of a source; null for a source that stays. Throws when a text to change is not there. */
  make(path: string, source: string): string | null;
  /** Throws when a source that must be changed was not loaded. */
  assertAllMade(): void;
};

export function createChanges(name: ChangeName): SourceChanges {
  const all: readonly Change[] = [...records, ...table[name]];
  const open = new Set(all);
  return {
    files: all.map(({ file }) => file),
    make(path, source) {
      const changes = all.filter(({ file }) => path.endsWith(file));
      if (changes.length === 0) return null;
      return changes.reduce((text, change) => {
        if (!text.includes(change.find)) throw new Error(`${change.file} has changed: ${change.find}`);
        open.delete(change);
        return text.replace(change.find, () => change.put);
      }, source);
    },
    assertAllMade() {
      if (open.size > 0) throw new Error(`not loaded: ${[...open].map(({ file }) => file).join(', ')}`);
    },
  };
}

type Change = { readonly file: string; readonly find: string; readonly put: string };

/**
 * Faults that a gateway can be given, each one that the tests beside it must find. Sources by their place, and what stands there instead.
 */
export const plantedFaults = {
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
  /** Every process remembers the wallet tokens that it has taken, and none those of others or of its earlier life. */
  'tokens in memory': [
    {
      file: '/src/payments/order.ts',
      find: 'tokenId: wallet.card.tokenId, until',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is source text.
      put: 'tokenId: `${process.pid} ${wallet.card.tokenId}`, until',
    },
  ],
  /** A settlement file can be seen as soon as its first lines are matched. */
  'kept in portions': [
    {
      file: '/src/settlement/in/importFile.ts',
      find: 'before += lines.length;',
      put: 'before += lines.length; if (before === lines.length) await store.keepFile(file.id, before);',
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

type Change = { readonly file: string; readonly find: string; readonly put: string };

/**
 * Faults to plant into a gateway; the tests in this folder must find each of them. A change names a source file, a text in it and its replacement.
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
      put: 'before += lines.length; if (before === lines.length) await store.keepFile(file.id, before);',
    },
  ],
} as const satisfies Record<string, readonly Change[]>;

/** Mutants of one source line that no test can find, or that differ in nothing that anything depends on. */
export type Explained = {
  readonly file: string;
  /** The beginning of the source line, without its indentation. */
  readonly at: string;
  readonly changes: readonly (readonly [from: string, to: string])[];
  readonly why: string;
};

const NARROWS = 'the table of the life cycle leads here with this phase or event alone: the condition is for the compiler';

const lifecycle: readonly Omit<Explained, 'file'>[] = [
  {
    at: 'const grid = lookGridsMs.find((ms) => ms <= wait / 2) ?? 1;',
    changes: [
      ['lookGridsMs.find((ms) => ms <= wait / 2) ?? 1', 'lookGridsMs.find((ms) => ms <= wait / 2)'],
      ['1', '2'],
    ],
    why: 'the shortest wait is 45 seconds, for which there is a grid',
  },
  {
    at: 'const wait = Math.min(WAIT_MS_FIRST * 2 ** Math.min(tries, 20), most);',
    changes: [['20', '21']],
    why: 'the longest wait is a day, which 17 tries reach',
  },
  {
    at: "const nextAt = event.is === 'waiting' ? event.nextAt : undefined;",
    changes: [["event.is === 'waiting'", 'true']],
    why: 'no other event has a nextAt',
  },
  {
    at: "event.is === 'approved' ? final(event.code ?? successOf(payment), event.details) : stay(payment);",
    changes: [["event.is === 'approved'", 'true']],
    why: NARROWS,
  },
  {
    at: "const declined: Arrow = (payment, event) => (event.is === 'declined' ? final(event.code, event.details) : stay(payment));",
    changes: [["event.is === 'declined'", 'true']],
    why: NARROWS,
  },
  {
    at: "const cancelled: Arrow = ({ phase }) => final((phase.at === 'cancelling' ? phase.code : undefined) ?? '900.100.301');",
    changes: [["phase.at === 'cancelling'", 'true']],
    why: 'a payment in doubt has no code',
  },
  {
    at: 'const stay = (payment: Payment): Move => ({ phase: payment.phase });',
    changes: [['({ phase: payment.phase })', 'undefined']],
    why: NARROWS,
  },
  {
    at: "if (phase.at !== 'doubt' && phase.at !== 'cancelling') return stay(payment);",
    changes: [
      ["phase.at !== 'doubt' && phase.at !== 'cancelling'", 'false'],
      ['stay(payment)', 'undefined'],
    ],
    why: NARROWS,
  },
  {
    at: "phase: { at: 'cancelling', tries: 0, dueAt: now, since: phase.at === 'doubt' ? (phase.since ?? now) : now },",
    changes: [["phase.at === 'doubt'", 'true']],
    why: NARROWS,
  },
  ...[
    "if (event.is !== 'redirected')",
    "if (phase.at !== 'shopper')",
    "if (event.is !== 'proven')",
    "if (event.is !== 'rerouted')",
  ].map((condition) => ({
    at: `${condition} return stay(payment);`,
    changes: [
      [condition.slice(4, -1), 'false'],
      ['stay(payment)', 'undefined'],
    ] as const,
    why: NARROWS,
  })),
  {
    at: "event.is === 'stepped' ? { phase: { at: 'authentication', dueAt: event.dueAt }, threeDS: event.threeDS } : stay(payment);",
    changes: [["event.is === 'stepped'", 'true']],
    why: NARROWS,
  },
  {
    at: "event.is === 'unproven' ? { ...final(event.code), threeDS: event.threeDS } : stay(payment);",
    changes: [["event.is === 'unproven'", 'true']],
    why: NARROWS,
  },
  {
    at: 'return { phase: acquirerPhase(event.dueAt, event.hasOthers ?? false), threeDS: event.threeDS, fields };',
    changes: [['event.hasOthers ?? false', 'event.hasOthers']],
    why: 'absent and false are the same to acquirerPhase',
  },
  {
    at: 'const phase = acquirerPhase(event.dueAt, event.hasOthers ?? false);',
    changes: [['event.hasOthers ?? false', 'event.hasOthers']],
    why: 'absent and false are the same to acquirerPhase',
  },
  {
    at: 'if (phase === payment.phase) return payment;',
    changes: [
      ['phase === payment.phase', 'false'],
      ['payment', 'undefined'],
    ],
    why: NARROWS,
  },
];

const money: readonly Omit<Explained, 'file'>[] = [
  {
    at: "const digits = String(amount < 0n ? -amount : amount).padStart(3, '0');",
    changes: [
      ['<', '<='],
      ['0n', '1n'],
    ],
    why: 'minus zero is zero',
  },
  {
    at: 'if (digits >= 2) return amount * 10n ** BigInt(digits - 2);',
    changes: [
      ['>=', '>'],
      ['2', '3'],
    ],
    why: 'with two decimals the step below is 1, which leaves the amount as it is',
  },
];

const balance: readonly Omit<Explained, 'file'>[] = [
  {
    at: 'if (family.length === 1 && family[0] === payment) return { ...UNTOUCHED, available: range(family) };',
    changes: [
      ['family.length === 1 && family[0] === payment', 'false'],
      ['0', '1'],
      ['===', '!=='],
    ],
    why: 'a short cut: the fold below gives the same for a payment alone',
  },
];

const ALWAYS_SENT = 'only a reversal comes without an amount: the form asks for it';

const refusal: readonly Omit<Explained, 'file'>[] = [
  {
    at: 'const amount = order.amount ?? 0n;',
    changes: [
      ['order.amount ?? 0n', 'order.amount'],
      ['0n', '1n'],
    ],
    why: ALWAYS_SENT,
  },
  {
    at: 'const wanted = refunded.most + (order.amount ?? 0n);',
    changes: [
      ['order.amount ?? 0n', 'order.amount'],
      ['0n', '1n'],
    ],
    why: ALWAYS_SENT,
  },
  {
    at: 'if (rest <= 0n || (order.amount ?? rest) > rest) return EXCEEDED.RV;',
    changes: [['order.amount ?? rest', 'order.amount']],
    why: 'null is not greater than the rest either',
  },
  {
    at: 'const raised = isIncrement(payment) ? family.find(({ id }) => id === payment.referencedId) : undefined;',
    changes: [['isIncrement(payment)', 'true']],
    why: 'an authorisation that raises no other references none',
  },
  {
    at: 'return restOfTotal < rest ? restOfTotal : rest;',
    changes: [['<', '<=']],
    why: 'of two equal amounts either is right',
  },
  {
    at: 'const cutOff = midnight + ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;',
    changes: [
      ['hours ?? 0', 'hours'],
      ['minutes ?? 0', 'minutes'],
      ['0', '1'],
    ],
    why: 'every cut-off has hours and minutes',
  },
  {
    at: "const practice = practices[order.practice ?? ''];",
    changes: [
      ["order.practice ?? ''", 'order.practice'],
      ["''", "'?'"],
    ],
    why: 'the caller has looked whether there is a practice',
  },
];

const WHOLE_USER = '44 characters are 33 bytes: the user id and the bar leave room for nothing else';

const authenticate: readonly Omit<Explained, 'file'>[] = [
  {
    at: "const ENTITY_ID = hexId('AN32');",
    changes: [["'AN32'", "''"]],
    why: 'the label of a format is for documents, and this one is in none',
  },
];

const ANY_KIND = 'a kind of any name tells it from a reply, which has none';
const KNOWN_TYPE = 'a short cut: the type is looked at again';

const authenticateApi: readonly Omit<Explained, 'file'>[] = [
  { at: "if (actsFor) return { kind: 'owned', ids:", changes: [["'owned'", "''"]], why: ANY_KIND },
  { at: "if (known.is === 'known') return { kind: 'owned',", changes: [["'owned'", "''"]], why: ANY_KIND },
  {
    at: 'await rest();',
    changes: [['await rest();', ';']],
    why: 'others come in between here too; the decoder lets them in as well',
  },
  {
    at: "let knownFormType = 'application/x-www-form-urlencoded';",
    changes: [["'application/x-www-form-urlencoded'", "''"]],
    why: KNOWN_TYPE,
  },
  {
    at: 'if (type === knownFormType) return true;',
    changes: [['type === knownFormType', 'false']],
    why: KNOWN_TYPE,
  },
  {
    at: 'if (!FORM.test(type) || OTHER_CHARSET.test(type)) return false;',
    changes: [['false', 'undefined']],
    why: 'the caller asks for the truth of it only',
  },
  { at: 'knownFormType = type;', changes: [['knownFormType = type;', ';']], why: KNOWN_TYPE },
  {
    at: 'if (body.length === 0) return null;',
    changes: [['null', 'undefined']],
    why: 'the caller asks whether there is a fault',
  },
  { at: 'const isJson = ', changes: [['64', '65']], why: 'JSON shows within a few characters' },
];

const token: readonly Omit<Explained, 'file'>[] = [
  { at: 'const USER_CHARACTERS = 44;', changes: [['44', '45']], why: 'a single further character of base64 is no byte' },
  {
    at: 'const USER = /^[0-9a-f]{32}\\|$/;',
    changes: [
      ['/^[0-9a-f]{32}\\|$/', '/[0-9a-f]{32}\\|$/'],
      ['/^[0-9a-f]{32}\\|$/', '/^[0-9a-f]{32}\\|/'],
    ],
    why: WHOLE_USER,
  },
];

const NO_MATCH = 'the row of unknown users: no token has its hash, whatever else it says';
const SPACE = 'the index takes another row or more memory, and gives the same answers';

const keyIndex: readonly Omit<Explained, 'file'>[] = [
  {
    at: 'const digitValues = new Uint8Array(256).fill(16);',
    changes: [
      ['256', '257'],
      ['16', '17'],
    ],
    why: 'the place of 256 is never read, and the bit of 16 says that it is no digit',
  },
  {
    at: 'for (let value = 0; value < 16; value += 1) digitValues[value.toString(16)',
    changes: [['16', '17']],
    why: 'to the base of 17 the digits below 16 are the same; a seventeenth value is found by the tests',
  },
  { at: 'if (key.length !== KEY_LENGTH) return false;', changes: [['false', 'undefined']], why: 'asked for its truth only' },
  { at: 'let faulty = 0;', changes: [['0', '1']], why: 'only the bit of 16 is looked at' },
  { at: 'let value = 0;', changes: [['0', '1']], why: 'eight digits push the first bits out' },
  {
    at: 'if ((count + 1) * WORDS > keys.length) keys = doubled(keys);',
    changes: [
      ['1', '2'],
      ['>', '>='],
    ],
    why: SPACE,
  },
  {
    at: 'if (count * 2 > places.length) rehash();',
    changes: [
      ['2', '3'],
      ['>', '>='],
    ],
    why: SPACE,
  },
  {
    at: 'const digit = code < 256 ? (digitValues[code] as number) : 16;',
    changes: [['16', '17']],
    why: 'the bit of 16 says that it is no digit',
  },
  { at: 'let keys = new Int32Array(FIRST_ROWS * WORDS);', changes: [['*', '/']], why: SPACE },
  { at: 'let places = new Int32Array(FIRST_ROWS * 2);', changes: [['*', '/']], why: SPACE },
];

const tokenIndex: readonly Omit<Explained, 'file'>[] = [
  { at: 'const UNKNOWN = 0;', changes: [['0', '1']], why: 'a token that names another user never has the hash of row 1' },
  { at: 'const FIRST_ROWS = 64;', changes: [['64', '65']], why: SPACE },
  { at: 'let count = 0;', changes: [['0', '1']], why: NO_MATCH },
  {
    at: "const entityIds: string[] = [''];",
    changes: [
      ["['']", '[]'],
      ["''", "'?'"],
    ],
    why: NO_MATCH,
  },
  { at: 'let size = 1;', changes: [['1', '2']], why: SPACE },
  { at: 'return size - 1;', changes: [['1', '2']], why: SPACE },
  { at: 'if (unused !== NONE) {', changes: [['unused !== NONE', 'false']], why: SPACE },
  {
    at: 'columns.usedDays[row] = usedOn === null ? NONE : Math.floor(usedOn / DAY_MS);',
    changes: [['usedOn === null', 'false']],
    why: 'a use on the first day of 1970 is no use either',
  },
  {
    at: 'for (let row = first === NONE ? UNKNOWN : first; row !== NONE; row = columns.next[row] as number)',
    changes: [['first === NONE', 'false']],
    why: 'the answer is the same; its time is measured by tokenTiming.test.ts',
  },
  {
    at: 'if (user === NONE) return;',
    changes: [['user === NONE', 'false']],
    why: 'a user that is none has no rows to give back',
  },
  {
    at: 'for (let row = users.first(user); row !== NONE; ) {',
    changes: [
      ['row !== NONE', 'false'],
      ['!==', '==='],
    ],
    why: SPACE,
  },
  {
    at: "entityIds[row] = '';",
    changes: [
      ["entityIds[row] = '';", ';'],
      ["''", "'?'"],
    ],
    why: SPACE,
  },
  { at: 'columns.next[row] = unused;', changes: [['columns.next[row] = unused;', ';']], why: SPACE },
  { at: 'unused = row;', changes: [['unused = row;', ';']], why: SPACE },
  {
    at: 'if (list === null) return ANYWHERE;',
    changes: [['ANYWHERE', 'undefined']],
    why: 'a row without a check is one for anywhere',
  },
  { at: 'return null;', changes: [['null', 'undefined']], why: 'the caller asks whether there is a list' },
  {
    at: 'const user = check === null ? NONE : users.add(userId);',
    changes: [['check === null', 'false']],
    why: 'a user without tokens more, to whom nothing is granted',
  },
  { at: 'if (check !== ANYWHERE) checks.set(row, check);', changes: [['check !== ANYWHERE', 'true']], why: SPACE },
  { at: 'free(row);', changes: [['free(row);', ';']], why: SPACE },
  {
    at: 'if ((columns.usedDays[row] as number) >= day) return false;',
    changes: [['false', 'undefined']],
    why: 'the caller asks for the truth of it only',
  },
  {
    at: "const openedBy = (token: string, now: number) => grantsOpenedBy(token, grants.of(userOf(token) ?? ''), now);",
    changes: [["''", "'?'"]],
    why: 'neither is the id of a user',
  },
];

const inFile = (file: string, rows: readonly Omit<Explained, 'file'>[]): readonly Explained[] =>
  rows.map((row) => ({ file, ...row }));

const HASH_BITS = 'any 64 bits of the hash or more tell two sets apart';
const IS_THERE = 'its callers ask whether there is one';
const SIGN = 'only the sign counts to a sort';

const ledger: readonly Explained[] = [
  ...inFile('src/ledger/balances.ts', [
    {
      at: 'return sum.holdings().toSorted((one, other) => ',
      changes: [
        ['1', '2'],
        ['<', '<='],
      ],
      why: 'only the sign counts to a sort, and no two rows are of one mode and currency',
    },
  ]),
  ...inFile('src/ledger/book.ts', [
    {
      at: "phase: { at: 'acquirer', dueAt: payment.createdAt },",
      changes: [["'acquirer'", "''"]],
      why: 'whatever is not final is open',
    },
  ]),
  ...inFile('src/ledger/chain.ts', [
    {
      at: 'if (amount !== 0n) sums[at] = (sums[at] ?? 0n) + amount;',
      changes: [
        ['0n', '1n'],
        ['sums[at] ?? 0n', 'sums[at]'],
        ['amount !== 0n', 'true'],
      ],
      why: 'a row has a sum for each account from the start, and to add zero changes nothing',
    },
  ]),
  ...inFile('src/ledger/entry.ts', [
    {
      at: 'one.mode === other.mode ? (one.currency < other.currency ? -1 : 1) : one.mode < other.mode ? -1 : 1;',
      changes: [
        ['1', '2'],
        ['<', '<='],
      ],
      why: `${SIGN}, and no two rows are of one mode and currency`,
    },
    { at: 'const [subjectId = ', changes: [["''", "'?'"]], why: 'a line has a first cell, however it is damaged' },
    {
      at: 'return { currency, mode, amounts: isWhole ? texts.map((text) =>',
      changes: [
        ["text === '0'", 'false'],
        ["'0'", "''"],
      ],
      why: 'a short cut: most amounts are zero',
    },
    {
      at: 'accounts: Object.fromEntries(accounts.map((account, at) =>',
      changes: [["'0'", "''"]],
      why: 'no digits are zero to BigInt too',
    },
  ]),
  ...inFile('src/ledger/seal.ts', [
    {
      at: 'if (lines.length < blockMax) return sealed;',
      changes: [['lines.length < blockMax', 'false']],
      why: 'saves a last reading that would find nothing',
    },
  ]),
  ...inFile('src/ledger/tally.ts', [
    { at: 'const PARTS = 65_536;', changes: [['65_536', '65537']], why: 'a part more, in which nothing is counted' },
    { at: 'const WORDS = 3;', changes: [['3', '4']], why: HASH_BITS },
    {
      at: 'for (let word = 0; word < WORDS; word += 1) {',
      changes: [
        ['0', '1'],
        ['1', '2'],
      ],
      why: HASH_BITS,
    },
    {
      at: 'sums[from + word] = (sums[from + word] ?? 0) + sign',
      changes: [
        ['sums[from + word] ?? 0', 'sums[from + word]'],
        ['0', '1'],
        ['+', '-'],
        ['2', '3'],
        ['4', '5'],
      ],
      why: 'other bits of the hash do as well, and so do sums with all signs turned',
    },
  ]),
  ...inFile('src/ledger/verify.ts', [
    {
      at: 'if (paid.parts.size > 0)',
      changes: [
        ['paid.parts.size > 0', 'true'],
        ['>', '>='],
      ],
      why: 'saves a search that would find nothing',
    },
    {
      at: 'if (booked.parts.size > 0)',
      changes: [
        ['booked.parts.size > 0', 'true'],
        ['>', '>='],
      ],
      why: 'saves a search that would find nothing',
    },
    { at: 'if (expected) unmatched.delete', changes: [['expected', 'true']], why: 'what is not there is not removed' },
    { at: '{ merchantId, total: 0 },', changes: [['0', '1']], why: 'the progress of the second reading is told to none' },
    {
      at: 'const eventOf = ({ merchantId, line }: LedgerLine) => ',
      changes: [
        ['2', '3'],
        ["'|'", "''"],
      ],
      why: 'the third cell is payment in all of them, and ids of one length need no bar behind them',
    },
  ]),
  ...inFile('src/ledger/verifyChain.ts', [
    { at: 'if (done) return null;', changes: [['null', 'undefined']], why: IS_THERE },
    { at: 'return waiting.at(-1) ?? null;', changes: [['waiting.at(-1) ?? null', 'waiting.at(-1)']], why: IS_THERE },
    {
      at: 'if (next?.merchantId !== owner || next.number !== block) return null;',
      changes: [['null', 'undefined']],
      why: IS_THERE,
    },
    {
      at: 'compare(out, heads.get(stored.merchantId) ?? null,',
      changes: [['heads.get(stored.merchantId) ?? null', 'heads.get(stored.merchantId)']],
      why: IS_THERE,
    },
    {
      at: ': Buffer.compare(Buffer.from(one.merchantId), Buffer.from(place.merchantId)) < 0;',
      changes: [
        ['<', '<='],
        ['0', '1'],
      ],
      why: 'equal merchants are compared by the number of the block',
    },
  ]),
  ...inFile('src/ledger/verifyPayments.ts', [
    {
      at: 'break;',
      changes: [['break;', ';']],
      why: 'a credit has no chargebacks, a refund is no returned refund, and a chargeback is the last case',
    },
    {
      at: 'if (family.every(isWhole)) checkFamily',
      changes: [['every', 'some']],
      why: 'all payments of a family have its name, and a broken family is broken for each',
    },
    { at: 'broken: new Set(unreadable.map', changes: [["''", "'?'"]], why: 'every unreadable payment has its family' },
    { at: 'if (names.size === 0) return', changes: [['names.size === 0', 'false']], why: 'saves a query of no families' },
  ]),
  ...inFile('src/ledger/verifySettlements.ts', [
    { at: 'if (amounts === null) return null;', changes: [['null', 'undefined']], why: IS_THERE },
    {
      at: 'if (posting.isReversal) tally.subtract',
      changes: [['posting.isReversal', 'true']],
      why: 'a tally that differs leads to a search, which counts again',
    },
    {
      at: 'if (!out.parts.has(partOf(place.merchantId, place.text))) return;',
      changes: [['!out.parts.has(partOf(place.merchantId, place.text))', 'false']],
      why: 'what is in the other parts adds up to zero, and is not reported',
    },
    {
      at: "const posting = readLine(line).kind === 'settlement'",
      changes: [["readLine(line).kind === 'settlement'", 'true']],
      why: 'a payment is in one of the searched parts once in 65,536 times',
    },
    { at: 'const says = times > 0 ?', changes: [['>', '>=']], why: 'what adds up to zero is not reported' },
    {
      at: 'if (times !== 0) out.find',
      changes: [['times !== 0', 'true']],
      why: 'what adds up to zero is in a searched part once in 65,536 times',
    },
    {
      at: 'const about = { recordId, merchantId: owner, payment: { currency, mode }, at: 0 };',
      changes: [['0', '1']],
      why: 'the time of a settlement is not compared',
    },
    {
      at: '{ merchantId, before: 0, total: 0 },',
      changes: [['0', '1']],
      why: 'the progress of the second reading is told to none',
    },
    {
      at: "expect: (owner, text) => count({ merchantId: owner, subjectId: text.split('|', 1)[0] ?? '', text, block: null }, -1),",
      changes: [
        ["text.split('|', 1)[0] ?? ''", "text.split('|', 1)[0]"],
        ["''", "'?'"],
        ['1', '2'],
      ],
      why: 'a text has a first cell, however it is split',
    },
  ]),
];

const SHORT_CUT = 'only which of two ways computes the same code changes';
const BEFORE_USE = 'an owner without a key is not ready, whatever stands in its place';

const vault: readonly Explained[] = [
  ...inFile('src/vault/keyMaker.ts', [
    {
      at: "const derived = purpose === 'data' || version > 1 ? undefined :",
      changes: [['?.', '.']],
      why: 'there is always a master key; that it may derive nothing is tested',
    },
  ]),
  ...inFile('src/vault/keyRing.ts', [
    { at: 'turns: 0,', changes: [['0', '1']], why: 'only the order of the numbers counts' },
    { at: 'turn: 0,', changes: [['0', '1']], why: 'the first load has a number that is no smaller' },
    { at: 'left: 0,', changes: [['0', '1']], why: 'the load that makes a ring sets it to zero with the first key' },
    {
      at: 'if (!ring || ring.left <= 0 || !isFresh(ring, at, CONFIRM_MS)) return prepareOnce(keyRing, owner);',
      changes: [['0', '1']],
      why: 'the next block is reserved one use earlier',
    },
    {
      at: 'if (ring.left <= 0) await reserveOnce(keyRing, ring);',
      changes: [['0', '1']],
      why: 'the next block is reserved one use earlier',
    },
    {
      at: 'if (!(error instanceof VaultRefused)) throw error;',
      changes: [
        ['!(error instanceof VaultRefused)', 'false'],
        ['throw error;', ';'],
      ],
      why: 'the failure is thrown after the other owners instead of before them',
    },
    {
      at: 'if (isEnough && ring.current?.version === version) {',
      changes: [['?.', '.']],
      why: 'a ring with a key never loses all of them',
    },
    {
      at: 'if (!isEnough) await load(keyRing, owner, SEALING_PURPOSES);',
      changes: [['!isEnough', 'true']],
      why: 'one reading more where another load has changed the key meanwhile',
    },
    { at: 'keyRing.turns += 1;', changes: [['1', '2']], why: 'only the order of the numbers counts' },
    {
      at: 'const fingerprint = fingerprintRow ? await maker.unwrap(fingerprintRow) :',
      changes: [
        ['known?.fingerprint ?? null', 'known?.fingerprint'],
        ['known?.fingerprint ?? null', 'null'],
      ],
      why: 'the ring keeps the key that it has',
    },
    {
      at: "const version = currentOf(rows, 'data')?.version ?? 0;",
      changes: [
        ["currentOf(rows, 'data')?.version ?? 0", "currentOf(rows, 'data')?.version"],
        ['0', '1'],
      ],
      why: BEFORE_USE,
    },
    { at: 'if (ring.turn > turn) {', changes: [['>', '>=']], why: 'no two loads have one number' },
  ]),
  ...inFile('src/vault/vault.ts', [
    { at: 'const TEXT_BYTES_MAX = 512;', changes: [['512', '513']], why: SHORT_CUT },
    { at: 'const CHARACTER_BYTES = 3;', changes: [['3', '4']], why: SHORT_CUT },
    {
      at: 'for (let at = 0; at < BLOCK_BYTES; at += 1) {',
      changes: [['<', '<=']],
      why: 'the byte behind the block is written over by the text and the hash',
    },
    {
      at: 'inner[at] = (secret[at] ?? 0) ^ 0x36;',
      changes: [['secret[at] ?? 0', 'secret[at]']],
      why: 'undefined counts as zero to an exclusive or',
    },
    {
      at: 'outer[at] = (secret[at] ?? 0) ^ 0x5c;',
      changes: [['secret[at] ?? 0', 'secret[at]']],
      why: 'undefined counts as zero to an exclusive or',
    },
    {
      at: 'bytes.fill(0);',
      changes: [
        ['bytes.fill(0);', ';'],
        ['0', '1'],
      ],
      why: 'wipes a copy that nothing else holds: no test sees it',
    },
    {
      at: 'if (text.length * CHARACTER_BYTES > TEXT_BYTES_MAX) return createHmac',
      changes: [
        ['text.length * CHARACTER_BYTES > TEXT_BYTES_MAX', 'true'],
        ['*', '/'],
        ['>', '>='],
      ],
      why: SHORT_CUT,
    },
    {
      at: "const end = BLOCK_BYTES + inner.write(text, BLOCK_BYTES, 'utf8');",
      changes: [["'utf8'", "''"]],
      why: 'UTF-8 is the encoding where none is named',
    },
    {
      at: 'inner.fill(0, BLOCK_BYTES, end);',
      changes: [
        ['inner.fill(0, BLOCK_BYTES, end);', ';'],
        ['0', '1'],
      ],
      why: 'wipes memory of this module that nothing else sees: the next text covers it',
    },
  ]),
  ...inFile('src/vault/vault.ts', [
    {
      at: "if (typeof text === 'string') return macBy(digestKey)(prefix + text);",
      changes: [
        ["typeof text === 'string'", 'false'],
        ["'string'", "''"],
      ],
      why: SHORT_CUT,
    },
    {
      at: 'const keys = known.get(entityId) ?? derived(entityId);',
      changes: [['known.get(entityId) ?? derived(entityId)', 'derived(entityId)']],
      why: 'saves deriving the same key again',
    },
    {
      at: 'known.set(entityId, keys);',
      changes: [['known.set(entityId, keys);', ';']],
      why: 'saves deriving the same key again',
    },
    {
      at: 'if (!(error instanceof VaultRefused)) throw error;',
      changes: [
        ['!(error instanceof VaultRefused)', 'false'],
        ['throw error;', ';'],
      ],
      why: 'nothing else is thrown while the program has no bug, and a bug would show as a damaged text',
    },
  ]),
  ...inFile('src/vault/rotation.ts', [
    {
      at: "typeof sealedBy !== 'number' || sealedBy < (current.get(its) ?? 0);",
      changes: [
        ['current.get(its) ?? 0', 'current.get(its)'],
        ['0', '1'],
      ],
      why: 'no number is smaller than undefined, and keys are numbered from 1',
    },
    {
      at: 'let [renewed, renewedAt] = [0, 0];',
      changes: [['0', '1']],
      why: 'without keys the first millisecond of 1970 is as long ago; that nothing was renewed is tested',
    },
  ]),
  ...inFile('src/vault/reseal.ts', [
    { at: 'stale += anew.length;', changes: [['+=', '-=']], why: 'it is compared with zero only' },
    {
      at: 'after = wanted.at(-1) ?? null;',
      changes: [['wanted.at(-1) ?? null', 'wanted.at(-1)']],
      why: 'a full portion has a last row',
    },
  ]),
];

/** Survivors that were looked at. */
export const explained: readonly Explained[] = [
  ...inFile('src/money/amount.ts', money),
  ...inFile('src/payments/lifecycle.ts', lifecycle),
  ...inFile('src/payments/balance.ts', balance),
  ...inFile('src/payments/refusal.ts', refusal),
  ...inFile('src/merchants/authenticate.ts', authenticate),
  ...inFile('src/http/api/authenticate.ts', authenticateApi),
  ...inFile('src/merchants/keyIndex.ts', keyIndex),
  ...inFile('src/merchants/token.ts', token),
  ...inFile('src/merchants/tokenIndex.ts', tokenIndex),
  ...ledger,
  ...vault,
];

import { counted, foundBy, noControl, type Requirement, TABLE_OF_BOTH, uncounted, YES_OR_NO } from './row.ts';

/** R22 to R28: protection of data. */
export const dataRows: readonly Requirement[] = [
  {
    id: 'R22',
    says: 'Card numbers are stored as AES-256-GCM, bound to tenant, entity, record and field; any change is refused.',
    tests: [
      'src/vault/vault.test.ts: R22: a text moved to another row, field, entity or tenant is refused',
      'src/vault/vault.test.ts: R22: every flipped bit, every cut and every short tag is refused',
      'src/vault/vault.test.ts: R22: a tag cut to 4 to 15 bytes',
      'src/vault/vault.test.ts: R22: … nonces are as many different ones',
    ],
    control: foundBy('src/vault/vault.test.ts: what is sealed opens again'),
    figures: counted(['nonces']),
    gap: null,
  },
  {
    id: 'R23',
    says: 'Data keys and the master key are rotated under load, with crashes in the middle, and old keys are destroyed.',
    tests: [
      'test/faults/rotation.test.ts: …: R23, data keys and master key are rotated under load, with kills in between',
      'src/vault/rotation.test.ts: every text is sealed under a new key and the old ones are destroyed, after the lease',
      'src/vault/rotation.test.ts: a crash at any call of the master rotation is made good by another run',
      'src/vault/vault.test.ts: a key is exchanged before it is worn out, whatever nodes and crashes have used of it',
    ],
    control: foundBy(
      'src/vault/rotation.test.ts: control: a node that seals with an old key after its lease writes unreadable text',
    ),
    figures: counted(['records', 'kills']),
    gap: null,
  },
  {
    id: 'R24',
    says: 'The fingerprint of a card number needs a key: BIN and last four digits do not give the number away.',
    tests: [
      'src/vault/vault.test.ts: R24: bin and last four digits do not give the number away by its fingerprint',
      'src/vault/vault.test.ts: R24: the sources hash without a key only what is no number',
      'src/vault/mac.test.ts: the code under a key of … bytes is that of HMAC-SHA-256',
    ],
    control: noControl('the search finds an unkeyed hash: the second half of the same test'),
    figures: uncounted(YES_OR_NO),
    gap: null,
  },
  {
    id: 'R25',
    says: 'No security code after the result and no card number in clear: not in logs, answers, webhooks, database files or WAL.',
    tests: [
      'test/canary.test.ts: SQLite: nothing secret is in the database, its journal, the log, a webhook payload or an answer',
      'test/canary.test.ts: PostgreSQL: nothing secret is in its files, its write-ahead log',
      'test/canaryTexts.test.ts: SQLite: no card number of a free text',
      'test/canaryTexts.long.test.ts: a card number … in every text of every request',
      'test/http/developerCanary.test.ts: no secret of any call is kept for the inspector or logged',
      'src/telemetry/log.test.ts: no line of the log carries a card number',
      'test/http/handover.test.ts: a node that ends too, or answers nonsense, is passed over; what it was sent can be read by nobody',
      'src/cli/commands/backup.test.ts: no card number is in a backup, and another key does not open it',
      'test/http/wipedBodies.test.ts: when a request is answered, its body and what the socket read of it are wiped',
      'test/faults/memory.long.test.ts: a minute after its payments the heap holds no card number and no security code',
    ],
    control: foundBy(
      'test/canary.test.ts: the scanner finds a planted hit',
      'test/canaryTexts.test.ts: the scanner finds a planted hit of every form',
      'test/canaryTexts.test.ts: without the search the numbers are found in answers and in the database',
      'test/faults/memory.long.test.ts: control: a process that keeps its texts is found, in its objects and in its memory',
    ),
    figures: counted(['answers searched', 'secrets sought']),
    gap: null,
    limit:
      'texts that the engine has freed stay in memory until others cover them: it offers no way to wipe a text (SECURITY.md); bodies, which are bytes, are wiped',
  },
  {
    id: 'R26',
    says: 'What is shown of a card number never gives the rest away; one truncation everywhere.',
    tests: [
      'test/http/truncation.test.ts: no length of a card number is given away by all places together',
      'src/reports/reconciliation/csv.test.ts: only the last four digits of a number are written',
      'src/spec/masking.test.ts: a log shows … for …',
      'src/form/screen.test.ts: …: … is kept as …',
      'src/http/inspector/inspector.test.ts: texts lose card numbers, accounts and the secrets of their own request',
      'test/http/cardNumbers.test.ts: mask: the payment is taken, and says the same text everywhere',
    ],
    control: foundBy('test/http/truncation.test.ts: control: a text with one more piece of the number is found'),
    figures: uncounted(YES_OR_NO),
    gap: null,
  },
  {
    id: 'R27',
    says: 'Access tokens are stored as hashes, compared in constant time and shown once.',
    tests: [
      'src/merchants/sandbox.test.ts: the seed makes sense and keeps no token in clear',
      'src/merchants/directory.test.ts: a token hash that is none stops the start',
      'test/http/accountTokens.test.ts: a token is issued, shown once, authenticates its entity',
      'test/http/accountSecrets.test.ts: no secret was ever answered, logged or stored in clear',
      'test/users/constantTime.test.ts: no secret is compared character by character',
      'src/merchants/tokenTiming.test.ts: a refusal takes as long for a wrong first byte, a wrong last byte and an unknown user, in … samples each',
    ],
    control: foundBy(
      'test/canary.test.ts: the scanner finds a planted hit',
      'test/users/constantTime.test.ts: control: such a comparison is found, and one with nothing is not',
      'src/merchants/tokenTiming.test.ts: control: a comparison that ends at the first difference is found',
    ),
    figures: uncounted(YES_OR_NO),
    gap: null,
  },
  {
    id: 'R28',
    says: 'The reconciliation file has no live formula, reads back as it was, and never goes by plain FTP unasked.',
    tests: [
      'src/reports/reconciliation/csv.test.ts: … is one cell, no formula, and reads back as it was (reliability R28)',
      'src/reports/reconciliation/csv.test.ts: a file of hostile texts has as many lines and cells as it should',
      'test/http/adminPayments.test.ts: a file holds what the search finds, and no formula',
      'test/users/audit.test.ts: the export holds no formulas, and is logged',
      'test/remote/realServers.long.test.ts: a server that has no TLS is not told the password by ftps',
    ],
    control: noControl(TABLE_OF_BOTH),
    figures: uncounted(YES_OR_NO),
    gap: null,
  },
];

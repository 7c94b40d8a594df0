import { foundBy, noControl, type Promised, planted, TABLE_OF_BOTH } from './row.ts';

const EXAMPLE = 'the test compares the whole answer; another answer fails it';

/** Pieces of the README that lead to what follows them, and promise nothing by themselves. */
export const noPromises: readonly string[] = [
  'A self-hosted payment gateway.',
  'Tested promises ([docs/assurance.md](docs/assurance.md)):',
];

/** The promises of the README. */
export const promises: readonly Promised[] = [
  {
    pieces: [
      "A merchant's server sends form fields over HTTP and gets JSON back:",
      'authorise, capture, debit, credit, reverse, refund, query.',
    ],
    tests: [
      'test/http/payments.test.ts: a debit is approved and comes back whole',
      "test/readme.test.ts: the README's command: …",
    ],
    control: noControl(EXAMPLE),
    gap: null,
  },
  {
    pieces: ['One process, one command, an embedded database;', 'the same program runs as many nodes on PostgreSQL.'],
    tests: [
      'test/http/process.test.ts: what it says at the start makes a first payment',
      'test/package.test.ts: it takes a payment, in the folder where it was called',
      'test/faults/startTogether.test.ts: nodes that start at the same moment on an empty database all become ready',
      'test/nodeJobs.test.ts: every job of the program has a row that says how nodes share it, and every row has a job',
      'test/nodeJobs.test.ts: a job goes to another node when its node ends, when its lease ends, and when it keeps failing',
      'test/nodeCounters.test.ts: postgres: a payment at one of four nodes is counted by all of them within a second',
    ],
    control: foundBy(
      'test/nodeJobs.test.ts: what one node can do for all is done once by four nodes, and four times without leases',
      'test/nodeJobs.test.ts: what nodes claim piece by piece is given out once, and several times where claims are forgotten',
      'test/nodeCounters.test.ts: postgres: nodes that believe to be alone count a quarter each',
    ),
    gap: null,
  },
  {
    pieces: ['Clients of this family of payment APIs work after changing the host name.'],
    tests: [
      'test/specification.test.ts: the rows are those of documents 2 and 3, in their order, with their needs and formats',
      'test/browser/compatIdioms.test.ts: groups that are moved with their frames, and frames that are moved alone',
      'test/connectors/upstream/upstream.test.ts: an authorisation, its captures, refunds and reversal are booked on both sides',
      'test/connectors/upstream/admitted.test.ts: …: every parameter arrives, or the page says why not',
      'test/connectors/upstream/admitted.test.ts: every practice by every type, reference and instrument ends as at the platform (registrations=…)',
    ],
    control: foundBy(
      'test/connectors/upstream/admitted.test.ts: control: a parameter that is lost or altered on the way is found',
    ),
    gap: null,
  },
  {
    pieces: ['money is exact;'],
    tests: [
      'test/money/r12.test.ts: no amount changes between the form and the books, in SQLite',
      'test/ledger/fold.test.ts: currency by currency and mode by mode the books add up to nothing at every moment',
    ],
    control: foundBy(
      planted('the acquirer is sent another amount'),
      'test/ledger/verify.test.ts: every damage is found, with its place',
    ),
    gap: null,
  },
  {
    pieces: ['an acknowledged payment survives `kill -9`;'],
    tests: [
      'test/faults/killSqlite.test.ts: SQLite: what was acknowledged before the kills is stored unchanged',
      'test/faults/killPostgres.test.ts: PostgreSQL: what was acknowledged before the kills is stored unchanged',
    ],
    control: foundBy('test/faults/killSqlite.test.ts: SQLite, the control: a store that acknowledges too early is detected'),
    gap: null,
  },
  {
    pieces: ['a request repeated with its idempotency key never charges twice;'],
    tests: ['test/faults/retries.test.ts: …: however often an operation is sent with its key, it is done once'],
    control: foundBy(planted('idempotency keys are kept in the memory of each node')),
    gap: null,
  },
  {
    pieces: ['no more is captured than authorised or refunded than captured;'],
    tests: ['test/faults/overrun.test.ts: …: 64 concurrent requests never take more than the amount of a payment'],
    control: foundBy(planted('open captures do not count'), planted('open refunds do not count')),
    gap: null,
  },
  {
    pieces: ['and a payment is called failed only when the acquirer has confirmed'],
    tests: [
      'test/http/payments.test.ts: a request the acquirer never got is cancelled there before it is called failed',
      'test/simulation/simulation.test.ts: … seeds break no invariant',
    ],
    control: foundBy(planted('unknown at the acquirer is called failed at once'), planted('silence is called failed at once')),
    gap: null,
  },
  {
    pieces: [
      '**Payments** by card, wallet, bank account, gift card and redirect;',
      '`POST /v1/payments`',
      '`GET /v1/return/{id}`',
      '`POST /v1/return/{id}`',
      '`GET /v1/component/{id}`',
      '`POST /v1/component/{id}`',
    ],
    tests: [
      'test/http/payments.test.ts: a debit is approved and comes back whole',
      'test/http/payments.test.ts: an increment raises what may be captured',
      'test/http/shopperBrands.test.ts: …: pending, and the shopper is sent away',
      'test/http/wallets.test.ts: a token sent as … pays, and the card gives the brand',
    ],
    control: noControl(TABLE_OF_BOTH),
    gap: null,
  },
  {
    pieces: ['`POST /v1/payments/{id}'],
    tests: [
      'test/http/payments.test.ts: captures add up to the authorised amount and not a cent more',
      'test/http/payments.test.ts: refunds of a debit, a capture and a credit',
      'test/http/payments.test.ts: a reversal takes back the uncaptured rest, once',
      'test/http/chargebacks.test.ts: a chargeback is reversed once, may come back once, and that is the end',
      'test/generatedClients.test.ts: openapi-typescript: the types compile, and a payment is made, captured, refunded and read',
    ],
    control: noControl(TABLE_OF_BOTH),
    gap: null,
  },
  {
    pieces: ['`GET /v1/payments/{id}`'],
    tests: [
      'test/http/payments.test.ts: a payment is readable by its channel and its merchant, and by no other',
      'test/http/keptReplies.test.ts: a kept reply says what the stored payment says: …',
    ],
    control: foundBy(planted('a read ignores the merchant of the payment')),
    gap: null,
  },
  {
    pieces: ['`GET /v1/query', '`GET /v3/query', '`GET /v1/payments`'],
    tests: [
      'test/http/query.test.ts: a reference finds its payments, in the shape that clients know',
      'test/http/query.test.ts: pages are whole and without doubles while new payments arrive',
    ],
    control: noControl(TABLE_OF_BOTH),
    gap: null,
  },
  {
    pieces: [
      '`POST /v1/registrations',
      '`GET /v1/registrations',
      '`DELETE /v1/registrations',
      '**Stored cards and subscriptions** by the shopper or by the merchant',
    ],
    tests: [
      'test/http/registrationStories.ts: …: stored, charged, shown and deleted',
      'test/http/registrationStories.ts: every channel of the merchant may use it, no other may',
      'test/http/registrationStories.ts: the merchant charges again what the shopper agreed to',
    ],
    control: foundBy(planted('any merchant can charge a registration'), planted('the end of a payment undoes the deletion')),
    gap: null,
  },
  {
    pieces: [
      '`POST /v1/threeDSecure`',
      '`GET /v1/threeDSecure/{id}`',
      '`GET /v1/3ds/',
      '`POST /v1/3ds/',
      '`GET /sandbox/acs/',
      '`POST /sandbox/acs/',
      '**3D Secure:** hidden frame, frictionless, challenge with a code, out of band, decoupled, in an app',
    ],
    tests: [
      'test/http/threeDSTable.test.ts: …, …, …',
      'test/http/threeDSApart.test.ts: the cardholder approves on a telephone, and is charged without coming back',
      'test/http/threeDS.test.ts: an authentication alone gives the proof that a payment then carries',
      'test/threeDS/live.test.ts: frictionless: asked with our certificate, under the names the scheme knows',
      'test/threeDS/connections.test.ts: a file says where the directory servers are and who we are for them',
      'test/http/handover.test.ts: a node that ends hands the security code to another, and the payment goes on there',
      'test/http/handover.test.ts: where no node answers, the end is not delayed, nothing is lost before it and the log says so',
      'test/http/handover.test.ts: strangers, repetitions, bodies for others, old ones and large ones are refused',
      'test/faults/handover.long.test.ts: … threads: SIGTERM: the other node charges every payment that was being authenticated',
    ],
    control: foundBy(
      planted('failed results count as passed'),
      planted('the results of a challenge are not waited for'),
      'test/http/handover.test.ts: a node that was killed leaves a payment that ends without a charge, and the shopper pays again',
      'test/faults/handover.long.test.ts: the control: after SIGKILL every one of them ends without a charge',
    ),
    gap: null,
  },
  {
    pieces: [
      "**The payment widget** puts card fields, wallets and other methods on a shop's page;",
      'card numbers never reach the shop',
      '`POST /v1/checkouts',
      '`GET /v1/checkouts',
      '`GET /v1/paymentWidgets',
      '`GET /v1/static/',
      '`GET /v1/pciIframe.html`',
      '`GET /v1/widgetTarget.html`',
      '`GET /v1/widgetInventory.json`',
      '`GET /pay/{id}`',
      '`GET /demo',
    ],
    tests: [
      'test/http/checkouts.test.ts: a checkout is created: keys in their order, ndc is the id',
      'test/http/checkouts.test.ts: status: success, any number of times',
      'test/http/checkoutsWidget.test.ts: the script of a checkout',
      'test/browser/demo.test.ts: from the product to the payment, by card',
    ],
    control: foundBy(planted('two payments of a checkout are let in'), planted('the browser says what is paid')),
    gap: null,
  },
  {
    pieces: ['`POST /scheduling/', '`GET /scheduling/', '`DELETE /scheduling/'],
    tests: [
      'test/http/scheduleStories.ts: each due day is charged once',
      'test/http/scheduleStories.ts: a schedule can be previewed',
    ],
    control: foundBy(planted('skipped runs of a schedule are not recorded'), planted('a schedule goes on after its end')),
    gap: null,
  },
  {
    pieces: [
      '`POST /v1/risk`',
      '`GET /v1/risk/{id}`',
      '`POST /v1/redShield`',
      '`POST /v2/redShield`',
      '**Risk checks** judge every new payment:',
      'rules in a small language, velocity counters',
    ],
    tests: [
      'test/http/risk.test.ts: a rule says so: …',
      'test/http/risk.test.ts: the same order twice within a minute is a duplicate, later it is not',
      'test/http/secondOrder.test.ts: after each code, the same order again is a duplicate where something may be booked, and otherwise is sent',
      'test/http/risk.test.ts: a channel that only reports says in a header what live would have answered',
      'test/http/risk.test.ts: a check is a question: it counts as no attempt and charges nothing',
      'test/http/risk.test.ts: sandbox channels are report-only and block nothing',
      'src/cli/commands/backtest.test.ts: the command, its threads and SQLite report what the pure function reports: …',
    ],
    control: foundBy(planted('a decline of the rules is overruled'), planted('the velocity counters count twice')),
    gap: null,
  },
  {
    pieces: ['**Webhooks** report events to your server'],
    tests: [
      'test/http/adminWebhooks.test.ts: a webhook is created, tested, and receives a payment as facts 7.4 have it',
      'test/webhooks/deliver.test.ts: an event arrives encrypted and signed, and decrypts to the webhook payload',
      'test/webhooks/deliver.test.ts: a receiver that is down for a day gets everything afterwards',
      'src/cli/commands/listen.test.ts: the request goes on as it came, and the answer comes back',
    ],
    control: foundBy(planted('any answer counts as delivered'), planted('events count as delivered before they are')),
    gap: null,
  },
  {
    pieces: ['`POST /v1/connectors/{name}/{id}/notifications`'],
    tests: [
      'test/connectors/notifications.test.ts: an approval of another amount, currency or type is not believed',
      'test/connectors/contract.ts: …: a notification with a changed body or without a signature is refused',
    ],
    control: foundBy('test/connectors/planted.test.ts: the contract finds: …'),
    gap: null,
  },
  {
    pieces: [
      '`GET /sandbox/wallets`',
      '`POST /sandbox/wallets`',
      '`GET /sandbox/bank/{id}`',
      '`POST /sandbox/bank/{id}`',
      '**The simulator** behind the sandbox',
      'Complete scenarios are played by name',
    ],
    tests: [
      'test/http/clock.test.ts: a clock is read, frozen, moved, and returned to real time',
      'test/http/clockYear.test.ts: a year of a monthly subscription with failures, retries and webhooks',
      'test/http/scenarios.test.ts: every ready scenario that ends the same way always ends as its row says',
      'src/connectors/simulator/simulator.test.ts: late: waiting until the time to answer is over, then booked',
      'test/scenarios/runs.test.ts: two runs hear the same, byte for byte',
    ],
    control: foundBy('test/scenarios/runs.test.ts: another seed is another run where chance is used'),
    gap: null,
  },
  {
    pieces: ["**A ledger** posts every event twice, and acquirers' files are matched against it", '`GET /reports/'],
    tests: [
      'test/http/settlement.test.ts: a file of the simulated acquirer is taken',
      'test/http/settlementBooks.test.ts: two days after a payment the acquirer has paid',
      'test/http/reports.test.ts: a merchant sees the settled amounts of all its channels, by day and currency',
      'test/reports/match.test.ts: every planted fault is found and nothing is matched falsely, in 5,000 lines',
    ],
    control: foundBy(
      'test/http/settlement.test.ts: every planted fault is an exception with its reason',
      'test/faults/damagedSettlement.test.ts: the control: a file that is kept although lines of it are missing is found',
    ),
    gap: null,
  },
  {
    pieces: ['Stock generators make clients in other languages'],
    tests: [
      'test/stockGenerators.long.test.ts: …: generated as the page says, it pays, captures, refunds and reads',
      'test/stockGenerators.long.test.ts: …: all of the Python code can be imported; a class for every tag has a method for every operation',
      'test/generatorDocuments.test.ts: openapi.….generators.json: nothing that stock generators make wrong, and every operation of its part',
      'test/generatorDocuments.test.ts: openapi….json: one declared tag each, names for five languages, no reference into nothing',
      'test/generatorDocuments.test.ts: the document for merchants and that of the administration share no operation, and are the whole together',
    ],
    control: foundBy(
      'test/generatorDocuments.test.ts: control: every planted fault of a document is found',
      'test/generatorDocuments.test.ts: control: an operation in the wrong part, in none and in one alone is found',
      'test/stockGenerators.long.test.ts: control: of the full document the generator makes Python that cannot be imported',
    ),
    gap: null,
  },
  {
    pieces: ['`GET /v1/resultcodes`', '`GET /v1/brands`', '`GET /openapi', '`GET /docs'],
    tests: [
      'test/http/server.test.ts: every result code is public',
      'test/http/resultCodes.test.ts: every result code is given, with its text and status; a question and the webhook have the same',
      'test/http/resultCodes.test.ts: each code that the program itself decides on is expected by a test',
      'test/openApiReplies.test.ts: the catalogue of brands is as described',
      'src/spec/reference/page.test.ts: the page has every endpoint, parameter, rule, result code and test card',
      'test/specification.test.ts: the examples of the OpenAPI document are requests that pass and answers as the rows have them',
    ],
    control: foundBy('test/openApiReplies.test.ts: control: … is found'),
    gap: null,
  },
  {
    pieces: ['only `/health/live`, `/health/ready` and `/metrics` answer plain HTTP.'],
    tests: [
      'test/http/server.test.ts: health',
      'test/http/server.test.ts: metrics have no names and amounts',
      'test/http/proxy.test.ts: health and metrics work over plain HTTP',
    ],
    control: foundBy('test/http/startAndStop.test.ts: a store that does not answer makes the gateway not ready'),
    gap: null,
  },
  {
    pieces: ['every parameter of the specification is validated'],
    tests: ['test/negatives.test.ts: …: mutants of a good value', 'src/form/check.test.ts: every fault is reported at once'],
    control: noControl(TABLE_OF_BOTH),
    gap: null,
  },
  {
    pieces: ['`npm start` also prints', 'choose a password, scan the code with an authenticator app, and you are in'],
    tests: [
      'test/browser/officeShell.test.ts: the first administrator follows the link, links an app and is in',
      'test/http/invitations.test.ts: the first administrator comes by the link of the terminal, once',
    ],
    control: foundBy('test/http/signInPrivacy.test.ts: expired, used and invented links get the same reply'),
    gap: null,
  },
  {
    pieces: ['Payments are found while you type.', 'Each has one timeline from the request'],
    tests: [
      'test/browser/officePayments.test.ts: a payment is found while typing, and partly refunded after a step-up',
      'test/http/adminTimeline.test.ts: a lost reply shows as it was: open, inquired, decided',
      'test/http/adminPayments.test.ts: a payment page shows result, actions and a timeline in order',
    ],
    control: foundBy('test/http/adminPayments.test.ts: payments of other merchants are neither found nor shown'),
    gap: null,
  },
  {
    pieces: ['Developers find the cause of a decline under Developer'],
    tests: [
      'test/browser/officeDeveloper.test.ts: from a decline to its cause in three clicks',
      'src/spec/explain/explain.test.ts: …: every result code says what happened, who should act and what to do',
    ],
    control: noControl(EXAMPLE),
    gap: null,
  },
  {
    pieces: ['Every action is an entry of the audit log'],
    tests: [
      'test/users/audit.test.ts: every action leaves exactly one entry',
      'src/cli/commands/audit.test.ts: verify proves the log with its seal, and finds what was changed',
    ],
    control: foundBy('test/users/auditTampering.test.ts: …: found: …'),
    gap: null,
  },
  {
    pieces: ['English and German, light and dark, by keyboard and on a phone.'],
    tests: [
      'test/browser/officePages.test.ts: …: every page renders, fits and is accessible',
      'test/officeTexts.test.ts: …: every text is there in both languages',
      'test/browser/officeShell.test.ts: everything can be reached by keyboard',
      'test/browser/officeConditions.long.test.ts: zoom of 400 %: no page scrolls sideways, and the menu and every heading can be reached',
      'test/browser/officeConditions.long.test.ts: forced colours: every field has a border, and the focus is seen',
      'test/browser/firefox.long.test.ts: … passes in Firefox',
      'test/browser/webkitOffice.long.test.ts: a payment is found while typing, and partly refunded after a step-up',
      'test/browser/webkitOffice.long.test.ts: every page of the menu opens by keyboard, says where it is, and is accessible',
    ],
    control: foundBy('test/browser/firefox.long.test.ts: control: a test that fails in Firefox is found, by its name'),
    gap: null,
    limit:
      'passkeys are tried in Chromium alone, whose protocol has an authenticator for tests; no screen reader is run, because the packages have none that a test could hear: the tree that it reads is asserted',
  },
  {
    pieces: ['**Card numbers in free text** are shortened or refused'],
    tests: [
      'test/http/cardNumbers.test.ts: mask: the payment is taken, and says the same text everywhere',
      'test/http/cardNumbers.test.ts: refuse: every request with a number in a text is refused',
    ],
    control: foundBy('test/canaryTexts.test.ts: without the search the numbers are found in answers and in the database'),
    gap: null,
  },
  {
    pieces: ['**Tests of your shop** start a gateway in memory', 'frozen clock, scenarios by name, recorded webhooks'],
    tests: [
      'test/testing/testing.test.ts: instances are independent: payments, clocks, scenarios and webhooks',
      'test/testing/testing.test.ts: its program loads no database, no command and no page of the back office',
    ],
    control: foundBy('test/testing/testing.test.ts: expectations and waiting fail with the result in words'),
    gap: null,
  },
  {
    pieces: ['**Past one primary** merchants are divided among several installations'],
    tests: [
      'test/installations.long.test.ts: a killed installation takes no merchant of the other with it',
      'test/installations.long.test.ts: each request finds the installation of its merchant, by token, checkout or host',
    ],
    control: foundBy('test/installations.long.test.ts: the control: a token that the map leads astray is refused'),
    gap: null,
  },
  {
    pieces: [
      '**A plug-in for Medusa**, as an example project:',
      'a payment provider with widget, captures, refunds and webhooks',
    ],
    tests: [
      'test/examples/medusaPayment.test.ts: a shopper pays in the widget: authorized, captured, refunded in part and to the end',
      'test/examples/medusaPayment.test.ts: repeated with its key, an action is done once',
      'test/examples/medusaWebhooks.test.ts: webhooks of the gateway become actions; forgeries are refused',
      'test/examples/medusaTypes.long.test.ts: the provider compiles with the types of Medusa',
    ],
    control: foundBy('test/examples/medusaTypes.long.test.ts: control: a provider with a wrong status'),
    gap: null,
  },
  {
    pieces: ['**A typed client** for TypeScript and JavaScript', 'retries with idempotency keys, results classified'],
    tests: [
      'test/client/gateway.test.ts: a payment is made, captured, refunded, read and found',
      'test/client/retries.test.ts: a payment whose reply is lost is sent again with the same key and body',
      'test/client/gateway.test.ts: webhooks (…) are verified, decrypted and passed on once',
      'test/client/tables.test.ts: every code of the table has its kind, advice, retry rule and texts',
    ],
    control: foundBy('test/client/tables.test.ts: the resourcePath … is refused'),
    gap: null,
  },
  {
    pieces: [
      'The gateway reads environment variables and validates all of them at start;',
      'an invalid value stops the start with a line that names it.',
      'A secret may stand in a file instead:',
      'its name with `_FILE`',
      'Blanks and line breaks around it do not count.',
      '`live` refuses files with secrets that every user of the machine can read.',
      'A name that looks like a setting and is none',
      'A name that only begins like one, such as `TLS_PORT` of another program, does not:',
      '`turnpike doctor` tells it ([decisions/0090](../decisions/0090-names-that-look-like-settings.md)).',
    ],
    tests: [
      'src/config/settings.test.ts: an environment as of … does not stop a start, and no name in it has a fault',
      'src/config/settings.test.ts: a name that only begins like settings is told, and names of every environment are not',
      'test/http/process.test.ts: every wrong setting is named, and nothing starts',
      'src/config/config.test.ts: refused: …',
      'src/config/settings.test.ts: … may stand in a file',
      'src/config/settings.test.ts: live refuses files with secrets that every user can read',
      'src/config/settings.test.ts: a misspelt setting is refused with its right name, whatever the slip',
    ],
    control: foundBy('src/config/settings.test.ts: names that were meant as settings are refused, with the nearest one'),
    gap: null,
  },
  {
    pieces: ['`npx turnpike doctor` looks for what is wrong.'],
    tests: [
      'src/cli/commands/doctor/doctor.test.ts: a doctor names …: …',
      'src/cli/commands/doctor/doctor.test.ts: every check of the table is planted, here or on a server',
    ],
    control: foundBy('src/cli/commands/doctor/doctor.test.ts: a healthy installation has no finding'),
    gap: null,
  },
  {
    pieces: [
      '`live` refuses to start without TLS',
      'It takes payments only through [accounts at acquirers]',
      'the simulator is not one.',
      '[Going live](goingLive.md) leads',
    ],
    tests: [
      'src/config/config.test.ts: refused: …',
      'src/config/config.test.ts: live does not run as root',
      'src/connectors/registry.test.ts: no simulator takes part in LIVE',
      'test/goingLive.test.ts: the guide leads from nothing to a captured and refunded payment in live',
    ],
    control: noControl('the guide starts a gateway in live; a start that is always refused fails it'),
    gap: null,
  },
  {
    pieces: ['A live request that did not arrive over TLS'],
    tests: ['test/http/proxy.test.ts: …: refused in the form of the API, and never carried out'],
    control: foundBy('test/http/proxy.test.ts: what came to the proxy by TLS is taken'),
    gap: null,
  },
];

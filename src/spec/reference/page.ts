import { type AdminEndpointName, fieldsOf, isAdmin } from '../admin/admin.ts';
import { aliases } from '../aliases.ts';
import { brandCatalogue } from '../cards/brandCatalogue.ts';
import { ONE_TIME_CODE, type TestAuthentication, testCards } from '../cards/testCards.ts';
import { type Endpoint, type EndpointName, endpoints, paymentSections } from '../endpoints.ts';
import { openApiExamples } from '../openApi/examples.ts';
import { parameters, type SectionName, sections } from '../parameters.ts';
import { paymentTypes, recordedTypes, registrationTypes } from '../paymentTypes.ts';
import { paymentResponse, paymentSums, registrationResponse, responseExtras } from '../response.ts';
import { adviceTexts } from '../resultCodes/advice.ts';
import { type ResultEntry, resultCodes, resultGroups } from '../resultCodes.ts';
import type { Section } from '../row.ts';
import { rules } from '../rules/rules.ts';
import { type Tag, tags } from '../tags.ts';
import { type Chapter, code, details, entry, listing, paragraph, rowList, shown } from './parts.ts';
import { scenarioChapter } from './scenarios.ts';

const curl = (url: string, fields: readonly string[]): string =>
  [`curl "${url}"`, '-H "Authorization: Bearer $ACCESS_TOKEN"', ...fields.map((field) => `-d "${field}"`)].join(' \\\n  ');

const legacy = ['userId', 'password', 'entityId'];
const APPROVED = '000.100.110';
const SAMPLE_ID = '019a1c5b0f3e11a78ac7a4a19a1c22d4';

function answer(last4Digits: string, bin: string): string {
  const sample = {
    id: SAMPLE_ID,
    paymentType: 'DB',
    paymentBrand: 'VISA',
    amount: '92.00',
    currency: 'EUR',
    result: { code: APPROVED, description: resultCodes[APPROVED].text },
    card: { bin, last4Digits, holder: 'Ann Example', expiryMonth: '05', expiryYear: '2034' },
    timestamp: '2031-10-02 09:15:31+0000',
  };
  return JSON.stringify(sample, null, 2);
}

/** How to get in, and the first three requests, ready to paste. */
function firstPayment(base: string): Chapter[] {
  const number = testCards[0]?.number ?? '';
  const fields = ['entityId=$ENTITY_ID', 'paymentType=DB', 'amount=92.00', 'currency=EUR', 'paymentBrand=VISA'];
  const card = [`number=${number}`, 'holder=Ann Example', 'expiryMonth=05', 'expiryYear=2034', 'cvv=123'];
  const payment = curl(`${base}/v1/payments`, [...fields, ...card.map((field) => `card.${field}`)]);
  const refund = curl(`${base}/v1/payments/$PAYMENT_ID`, [
    'entityId=$ENTITY_ID',
    'paymentType=RF',
    'amount=92.00',
    'currency=EUR',
  ]);
  const read = curl(`${base}/v1/payments/$PAYMENT_ID`, ['entityId=$ENTITY_ID']).replace('curl', 'curl -G');
  return [
    {
      id: 'authenticate',
      title: 'Authenticate',
      text:
        paragraph(
          `Send the access token of your account in the header and the channel as ${code('entityId')}: ` +
            'in the body of a POST, in the query of a GET.',
        ) +
        listing('Header', 'Authorization: Bearer $ACCESS_TOKEN') +
        paragraph(
          'Without a readable header the answer is 401, with an unknown token or an entity of another merchant 403. ' +
            `Older clients may send ${legacy.map((name) => code(`authentication.${name}`)).join(', ')} instead.`,
        ),
    },
    {
      id: 'start',
      title: 'A first payment',
      text:
        paragraph('Requests are forms in UTF-8.') +
        listing('Request of a payment', payment) +
        paragraph('The answer is JSON. Codes that begin with 000.000. or 000.100.1 are successes.') +
        listing('Answer', answer(number.slice(-4), number.slice(0, 6))) +
        paragraph('Read it again, or pay it back:') +
        listing('Request of a read', read) +
        listing('Request of a refund', refund) +
        paragraph(
          `Send a header ${code('Idempotency-Key')} of up to 255 characters with a POST: when you repeat the request because ` +
            'the answer was lost, you get the first answer again and there is no second payment. ' +
            'A repeated answer has the header Idempotency-Replayed: true. The same key with another body is refused with 200.200.107.',
        ),
    },
  ];
}

/** The example of an endpoint as a command, with the reader's own entity and id. */
function command(base: string, name: EndpointName): string {
  const { method, path } = endpoints[name];
  const { entityId: _, ...fields } = openApiExamples[name]?.request ?? {};
  const sent = ['entityId=$ENTITY_ID', ...Object.entries(fields).map(([field, text]) => `${field}=${text}`)];
  const url = base + path.replace('{id}', '$REGISTRATION_ID');
  return curl(url, sent).replace('curl', method === 'POST' ? 'curl' : method === 'GET' ? 'curl -G' : `curl -G -X ${method}`);
}

const answered = (name: EndpointName): string => JSON.stringify(openApiExamples[name]?.answer ?? {}, null, 2);

/** How to store payment details, charge them again, and delete them. */
function storedDetails(base: string): Chapter[] {
  return [
    {
      id: 'stored',
      title: 'Stored payment details',
      text:
        paragraph(
          `Store a card, a bank account, a virtual account or a token, and keep the ${code('id')} of the answer. ` +
            `A payment stores what it was paid with when you send ${code('createRegistration=true')}; its answer has the id as ` +
            `${code('registrationId')}. Details belong to the merchant, whose every channel may charge them.`,
        ) +
        listing('Request of a registration', command(base, 'register')) +
        listing('Answer', answered('register')) +
        paragraph(
          `Charge them. The first payment of a series is the shopper’s (${code('INITIAL')}, ${code('CIT')}); later ones may be ` +
            `yours (${code('REPEATED')}, ${code('MIT')}). No other instrument may stand beside them; a security code may.`,
        ) +
        listing('Request of a payment with stored details', command(base, 'payRegistered')) +
        listing('Answer', answered('payRegistered')) +
        paragraph('Read them, keep them longer, or delete them:') +
        listing('Request of a read', command(base, 'readRegistration')) +
        listing('Request of an extension', command(base, 'extendLife')) +
        listing('Request of a deletion', command(base, 'deregister')),
    },
  ];
}

const plays: Readonly<Record<TestAuthentication, string>> = {
  none: 'no 3D Secure',
  frictionless: 'frictionless 3D Secure',
  attempt: '3D Secure attempted, liability shifted',
  error: '3D Secure fails with an error',
  notEnrolled: 'not enrolled for 3D Secure',
  notParticipating: 'the issuer does not take part in 3D Secure',
  challenge: '3D Secure with a challenge',
};

const isPayments: ReadonlySet<string> = new Set(paymentSections);

const opens: Readonly<Record<Endpoint['access'], string>> = {
  token: 'Needs an access token.',
  admin: "Needs an access token in the test environment, and the operator's token in live. Takes JSON.",
  session: 'For users who are signed in to the back office.',
  signIn: 'For sign-in to the back office.',
  none: 'Public.',
};

/** The fields of a request of the administration API. */
const adminFieldList = (name: AdminEndpointName): string => {
  const items = Object.entries(fieldsOf(name)).map(([field, { isRequired, description, kind }]) =>
    entry(`${code(field)}${isRequired ? ' (required)' : ''}`, [`${shown(description)} It ${shown(kind.message)}.`]),
  );
  return items.length > 0 ? `<dl>${items.join('')}</dl>` : '';
};

const endpointEntry = (name: EndpointName, { method, path, summary, access, required }: Endpoint): string =>
  entry(`<span class="method">${method}</span> ${code(path)}`, [
    paragraph(shown(summary)),
    paragraph(opens[access], 'aside'),
    required.length > 0 ? paragraph(`Required: ${required.map((one) => code(one)).join(', ')}`, 'aside') : '',
    isAdmin(name) ? adminFieldList(name) : '',
  ]);

/** The endpoints of one document by their tags. A group without endpoints, such as that of webhook events, is in the document only. */
function endpointGroups(part: Tag['document']): string {
  const all = Object.entries(endpoints) as [EndpointName, Endpoint][];
  const groups = Object.entries<Tag>(tags).flatMap(([tag, { title, document, description }]) => {
    const items = all.flatMap(([name, endpoint]) => (endpoint.tag === tag ? [endpointEntry(name, endpoint)] : []));
    return document !== part || items.length === 0 ? [] : [{ id: `endpoints-${tag}`, title, description, items }];
  });
  const links = groups.map(({ id, title }) => `<li><a href="#${id}">${shown(title)}</a></li>`);
  const parts = groups.map(
    ({ id, title, description, items }) =>
      `<h3 id="${id}">${shown(title)}</h3>${paragraph(shown(description))}<dl class="group">${items.join('')}</dl>`,
  );
  return `<ul>${links.join('')}</ul>${parts.join('')}`;
}

/** The OpenAPI documents of one part. */
const asData = (base: string, part: Tag['document']): string =>
  paragraph(
    `As data: <a href="${base}/openapi.${part}.json">OpenAPI 3.1</a>, and for stock code generators ` +
      `<a href="${base}/openapi.${part}.generators.json">OpenAPI 3.0</a>.`,
  );

function parameterSections(): string {
  const names = Object.keys(sections) as SectionName[];
  const parts = names.map((name) => {
    const { heading, rows } = sections[name];
    const idOf = (parameter: string): string => (isPayments.has(name) ? parameter : `${name}:${parameter}`);
    return details(heading, [Object.keys(rows).length, 'parameters'], rowList(rows, idOf));
  });
  return `<div class="group">${parts.join('')}</div>`;
}

function aliasList(): string {
  const scheme = 'threeDSecure.schemeData';
  const pairs = [
    ...Object.entries(aliases.wallets).map(([sent, known]) => [`${sent}.*`, `${known}.*`] as const),
    ...Object.entries(aliases.networks).map(
      ([sent, known]) => [`threeDSecure.v2.${sent}.*`, `threeDSecure.v2.${known}.*`] as const,
    ),
    ...Object.entries(aliases.schemes).map(([sent, known]) => [`${scheme}[${sent}-…]`, `${scheme}[${known}-…]`] as const),
    ...Object.entries(aliases.names),
  ];
  return `<dl class="group">${pairs.map(([sent, known]) => entry(code(sent), [`is read as ${code(known)}`])).join('')}</dl>`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const written: Readonly<Record<string, string>> = { '3ds': '3D Secure', avs: 'AVS', mac: 'MAC' };
const groupTitle = (group: string): string =>
  capital(
    group
      .split('-')
      .map((word) => written[word] ?? word)
      .join(' '),
  );

function resultCodeGroups(): string {
  const byGroup = Map.groupBy(Object.entries<ResultEntry>(resultCodes), ([, { group }]) => group ?? 'other');
  const parts = [...byGroup].map(([group, codes]) => {
    const items = codes.map(([name, { means, http, text, advice }]) =>
      entry(
        code(name, 'id'),
        [
          paragraph(shown(text)),
          paragraph(`<span class="means ${means}">${means}</span>, HTTP ${http}. ${adviceTexts[advice]}`, 'aside'),
        ],
        name,
      ),
    );
    const pattern = group === 'other' ? undefined : resultGroups[group].source;
    const about = pattern === undefined ? '' : paragraph(`${code(group)}: ${code(pattern)}`, 'format');
    return details(groupTitle(group), [codes.length, 'codes'], `${about}<dl>${items.join('')}</dl>`);
  });
  return `<div class="group">${parts.join('')}</div>`;
}

const listOr = (values: readonly string[] | null): string => (values === null ? 'any' : values.join(', '));

function brandList(): string {
  const parts = [...Map.groupBy(brandCatalogue, ({ methodName }) => methodName)].map(([method, all]) => {
    const items = all.map(({ brand, workflow, paidBy, countries, currencies, requiredParameters }) =>
      entry(code(brand, 'id'), [
        paragraph(
          `${workflow}${paidBy === null ? '' : `, paid by ${paidBy}`}. Countries: ${listOr(countries)}. Currencies: ${listOr(currencies)}.`,
        ),
        paragraph(`Required: ${requiredParameters.map((name) => code(name)).join(', ') || 'nothing'}`, 'aside'),
      ]),
    );
    return details(capital(method), [all.length, 'brands'], `<dl>${items.join('')}</dl>`);
  });
  return `<div class="group">${parts.join('')}</div>`;
}

function testCardList(): string {
  const parts = [...Map.groupBy(testCards, ({ brand }) => brand)].map(([brand, cards]) => {
    const items = cards.map(({ number, threeDSecure, methodData }) =>
      entry(code(number, 'id'), [capital(plays[threeDSecure]) + (methodData ? ', after a hidden call to the issuer.' : '.')]),
    );
    return details(brand, [cards.length, 'cards'], `<dl>${items.join('')}</dl>`);
  });
  return `<div class="group">${parts.join('')}</div>`;
}

const typeList = (types: Readonly<Record<string, { readonly name: string; readonly effect: string }>>): string =>
  `<dl class="group">${Object.entries(types)
    .map(([type, { name, effect }]) => entry(`${code(type)} ${shown(name)}`, [paragraph(shown(effect))]))
    .join('')}</dl>`;

function answerFields(): string {
  const kinds: Readonly<Record<string, Section['rows']>> = {
    Payment: { ...paymentResponse, ...paymentSums, ...responseExtras },
    'Stored payment details': registrationResponse,
  };
  const parts = Object.entries(kinds).map(([title, rows]) => details(title, [Object.keys(rows).length, 'fields'], rowList(rows)));
  return `<div class="group">${parts.join('')}</div>`;
}

function chapters(base: string): Chapter[] {
  const sentences = [...new Set(rules.map(({ title }) => title))];
  const sample = `"parameterErrors": [{ "name": "amount", "value": "92,00", "message": "${parameters.amount.format.message}" }]`;
  return [
    ...firstPayment(base),
    ...storedDetails(base),
    { id: 'endpoints', title: 'Endpoints for merchants', text: asData(base, 'merchant') + endpointGroups('merchant') },
    {
      id: 'administration',
      title: 'Administration endpoints',
      text: asData(base, 'administration') + endpointGroups('administration'),
    },
    {
      id: 'types',
      title: 'Payment types',
      text:
        typeList(paymentTypes) +
        paragraph('Actions of a bank are recorded with reference to the payment; no one is contacted:') +
        typeList(recordedTypes) +
        paragraph('Operations on stored payment details have an id and a result too. These types cannot be sent:') +
        typeList(registrationTypes),
    },
    {
      id: 'parameters',
      title: 'Parameters',
      text:
        paragraph(
          'N is digits, A is letters, AN is any characters on one line; a single number is the greatest length, two are least ' +
            `and greatest. ${code('[n]')} is an index from 0 to 1000. An empty value counts as absent. Names that are not ` +
            'listed here are ignored; the same name twice is refused.',
        ) + parameterSections(),
    },
    {
      id: 'aliases',
      title: 'Other names',
      text:
        paragraph('Wallets and card networks may be sent by their own names. Answers use the name that was sent.') + aliasList(),
    },
    {
      id: 'rules',
      title: 'Rules between parameters',
      text: `<ul class="plain">${sentences.map((sentence) => `<li>${shown(sentence)}</li>`).join('')}</ul>`,
    },
    {
      id: 'answer',
      title: 'The answer',
      text:
        paragraph(
          'JSON. New fields may come at any time. What was sent about customer, addresses and cart comes back; secrets do not. ' +
            `A request that breaks a format or a rule gets ${code('200.300.404')} and every fault at once:`,
        ) +
        listing('Faults', sample) +
        answerFields(),
    },
    {
      id: 'brands',
      title: 'Brands',
      text:
        paragraph(
          `The values of ${code('paymentBrand')}; as data: ${code('GET /v1/brands')}. ${code('a|b')} is either of two. Countries and ` +
            'currencies say where a brand is in use; the contract of a channel decides what it may take.',
        ) + brandList(),
    },
    {
      id: 'codes',
      title: 'Result codes',
      text:
        paragraph(
          `As data: ${code('GET /v1/resultcodes')}, with class, advice, a text for the shopper in every language, and the pattern of ` +
            'every group. Match the pattern of a group rather than single codes.',
        ) + resultCodeGroups(),
    },
    {
      id: 'cards',
      title: 'Test cards',
      text:
        paragraph('In the test environment. Any expiry that has not passed, any security code of three digits, four for AMEX.') +
        paragraph(`A result code of a decline as ${code('card.holder')} makes the simulator decline with that code.`) +
        paragraph(`The one-time code of every challenge is ${code(ONE_TIME_CODE)}.`) +
        testCardList(),
    },
    scenarioChapter(base),
  ];
}

/** The chapters of the API reference, from the tables that the gateway itself reads. `base` is where the gateway is reached. */
export function referenceBody(base: string): string {
  return chapters(base)
    .map(({ id, title, text }) => `<section aria-labelledby="${id}"><h2 id="${id}">${shown(title)}</h2>${text}</section>`)
    .join('\n');
}

import { testCards } from '../cards/testCards.ts';
import { type EndpointName, endpoints } from '../endpoints.ts';
import { openApiExamples } from '../openApi/examples.ts';
import { resultCodes } from '../resultCodes.ts';
import { code, listing, paragraph } from './parts.ts';

type Chapter = { readonly id: string; readonly title: string; readonly text: string };

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
export function firstPayment(base: string): Chapter[] {
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
export function storedDetails(base: string): Chapter[] {
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

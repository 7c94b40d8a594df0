import { createClient, type Fields, OTHER, present, type Reply } from './client.ts';

/** A shop with a checkout and a shopper with the widget in a browser, as far as the server sees them. */

export const ORDER: Fields = { amount: '92.00', currency: 'EUR', paymentType: 'DB' };
export const NUMBER = '4200000000000000';
export const FACE: Fields = {
  paymentBrand: 'VISA',
  'card.holder': 'Ann Example',
  'card.expiryMonth': '05',
  'card.expiryYear': '2034',
};
export const SHOP = 'https://shop.example';
export const RESULT_URL = `${SHOP}/done?order=7#end`;

export type Answered = {
  readonly status: number;
  readonly text: string;
  readonly location: string | null;
  readonly headers: Headers;
};

export function createShop(url: string, who: { readonly entityId: string; readonly token: string } = OTHER) {
  const merchant = createClient(url, who);

  async function browse(method: string, path: string, form: Fields = {}, headers: Fields = {}): Promise<Answered> {
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      redirect: 'manual',
      headers: { accept: 'text/html,application/xhtml+xml', ...headers },
      ...(method === 'POST' && { body: new URLSearchParams(form) }),
    });
    const location = response.headers.get('location');
    return { status: response.status, text: await response.text(), location, headers: response.headers };
  }

  const create = (fields: Fields = {}): Promise<Reply> =>
    merchant.send('POST', '/v1/checkouts', present({ ...ORDER, ...fields }));
  const status = (id: string, kind = 'payment'): Promise<Reply> => merchant.send('GET', `/v1/checkouts/${id}/${kind}`, {});

  async function seal(id: string, fields: Fields = { 'card.number': NUMBER, 'card.cvv': '123' }): Promise<string> {
    const { status: at, text } = await browse('POST', `/v1/checkouts/${id}/fields`, fields, { 'sec-fetch-site': 'same-origin' });
    if (at !== 200) throw new Error(`not sealed: ${text}`);
    return (JSON.parse(text) as { sealed: string }).sealed;
  }

  /** What the widget's form has when a card is paid with; a field set to '' is not sent. */
  const cardForm = async (id: string, fields: Fields = {}, card?: Fields): Promise<Fields> =>
    present({
      ...FACE,
      sealedFields: await seal(id, card),
      shopperResultUrl: RESULT_URL,
      shopOrigin: SHOP,
      widgetFlow: 'frame',
      widgetLanguage: 'en',
      ...fields,
    });

  return {
    merchant,
    browse,
    create,
    status,
    seal,
    cardForm,
    update: (id: string, fields: Fields): Promise<Reply> => merchant.send('POST', `/v1/checkouts/${id}`, fields),
    session: async (id: string) => JSON.parse((await browse('GET', `/v1/checkouts/${id}/widget`)).text),
    /** Pays by card and returns the page that comes first. */
    pay: async (id: string, fields: Fields = {}, card?: Fields): Promise<Answered> =>
      browse('POST', `/v1/checkouts/${id}/payment`, await cardForm(id, fields, card)),
    /** Pays as an app, and returns the status that the merchant reads. */
    async paid(id: string, form: Fields): Promise<Reply> {
      await browse('POST', `/v1/checkouts/${id}/payment`, form, { accept: 'application/json' });
      return status(id);
    },
    /** The same as an app does it, which wants the payment itself. */
    async payAsApp(id: string, form: Fields, kind = 'payment'): Promise<Reply> {
      const {
        status: at,
        text,
        headers,
      } = await browse('POST', `/v1/checkouts/${id}/${kind}`, form, { accept: 'application/json' });
      const body = JSON.parse(text) as Reply['body'];
      for (const name of ['customer', 'customParameters', 'risk', 'resultDetails', 'cart']) {
        if (name in body) throw new Error(`a shopper is told ${name}`);
      }
      return { status: at, code: body.result?.code, id: body.id, headers, body };
    },
  };
}

/** The result that a result page sends to the page around it. */
export function resultOn({ text }: Answered) {
  const plain = (html: string) =>
    html.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&lt;', '<').replaceAll('&amp;', '&');
  const data = (name: string) => new RegExp(`data-${name}="([^"]*)"`).exec(text)?.[1];
  return { result: JSON.parse(plain(data('result') ?? 'null')), shop: data('shop') ?? null };
}

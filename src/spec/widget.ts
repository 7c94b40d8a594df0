/** The id of a checkout: 32 random hexadecimal digits, a hyphen and the name of the node. An earlier version wrote a dot. */
export const CHECKOUT_ID = /^[0-9A-F]{32}[.-][A-Za-z0-9-]{1,15}$/;

/** The session data of a checkout for the payment widget. The caller has only the checkout id. */
export type WidgetSession = {
  readonly id: string;
  /** `/payment` charges, `/registration` only stores. */
  readonly endpoint: '/payment' | '/registration';
  readonly resourcePath: string;
  /** As on the wire; null when nothing is charged. */
  readonly amount: string | null;
  readonly currency: string | null;
  readonly paymentType: string | null;
  /** Set when the checkout was prepared; null: the form's action says. */
  readonly shopperResultUrl: string | null;
  /** How long it can still be paid, in milliseconds. */
  readonly leftMs: number;
  /** Paid, or stored: nothing more can be done with it. */
  readonly isDone: boolean;
  readonly brands: readonly WidgetBrand[];
  readonly registrations: readonly WidgetRegistration[];
  /** A stored card without a holder may be given one. */
  readonly overrideHolder: boolean;
  /** The channel authenticates cardholders, so the widget asks for the data of browser and address that 3D Secure needs. */
  readonly threeDSecure: boolean;
  readonly merchantName: string;
  readonly isTest: boolean;
  /** The amount as the language writes it that was asked for. */
  readonly amountText?: { readonly locale: string; readonly text: string };
  /** Pages without an origin, as apps show them, may ask for cards. */
  readonly mayLackOrigin?: boolean;
};

/** Which form a brand is paid by. */
export type FormKind =
  | 'card'
  | 'directDebit'
  | 'onlineTransfer'
  | 'virtualAccount'
  | 'invoice'
  | 'prepayment'
  | 'giftCard'
  | 'wallet';

export type WidgetBrand = {
  readonly name: string;
  readonly form: FormKind;
  /** Digits of the security code; null: it has none. */
  readonly cvvLength: 3 | 4 | null;
  /** Wire names that must be filled in by the shopper, where the merchant has not sent them. */
  readonly asks: readonly string[];
  /** For the wallet of a device that a page can open. */
  readonly wallet?: WidgetWallet;
};

/** Data about the shop for a device wallet, unless the page sets it. Contains no secrets. */
export type WidgetWallet = {
  /** The name on the sheet. */
  readonly displayName: string;
  /** The country of the shop, two letters; null: unknown. */
  readonly country: string | null;
  /** By what Apple knows the shop. */
  readonly merchantIdentifier?: string;
  /** The gateway and the merchant that Google encrypts its tokens for. */
  readonly gateway?: string;
  readonly gatewayMerchantId?: string;
};

/** Stored details, as far as they may be shown. */
export type WidgetRegistration = {
  readonly id: string;
  readonly brand: string;
  readonly kind: 'card' | 'bankAccount' | 'virtualAccount';
  /** The last digits of a card or account; an e-mail address or name for others. */
  readonly ends: string;
  readonly holder: string | null;
  readonly expiryMonth: string | null;
  readonly expiryYear: string | null;
};

/** How an attempt to pay or to store details ended. */
export type WidgetResult = {
  readonly checkoutId: string;
  /** For your server: `GET {gateway}{resourcePath}?entityId=…`. A result in the browser is no proof of a payment. */
  readonly resourcePath: string;
  /** Your result page with `id` and `resourcePath` in its query; null when none is set. */
  readonly url: string | null;
  readonly outcome: 'success' | 'pending' | 'declined' | 'cancelled' | 'expired';
  readonly code: string;
  /** A message for the shopper in the language of the page. Never a code. */
  readonly text: string;
};

/** Names of the parameters that only the widget's own form has. */
export const widgetFields = {
  /** Card fields that were sealed for this checkout by the gateway itself. */
  sealed: 'sealedFields',
  shopOrigin: 'shopOrigin',
  /** `frame`: the answer is shown inside the shop's page; `tab`: it has the tab for itself. */
  flow: 'widgetFlow',
  language: 'widgetLanguage',
  /** `1`: nothing is executed; the form is stored with the checkout until the merchant's server confirms. */
  summary: 'widgetSummary',
} as const;

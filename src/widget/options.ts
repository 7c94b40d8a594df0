import type { WidgetResult } from '../spec/widget.ts';

// The public contract of the widget: names and types that pages of shops rely on. The build of the widget makes paymentWidgets.d.ts of this
// file and of WidgetResult, so it holds types only.

/** Old pages write flags as strings. */
export type Flag = boolean | 'true' | 'false';
export type Words = Readonly<Record<string, string>>;

/** Data of a wallet about a shopper or a payment, as the wallet's documentation describes it. */
export type WalletData = Readonly<Record<string, unknown>>;
export type WalletParty = 'customer' | 'billing' | 'shipping';
type Some<Names extends string, Value> = { readonly [Name in Names]?: Value };

/** A line of Apple's sheet. */
export type AppleLine = { readonly label?: string; readonly amount?: string | number; readonly type?: 'final' | 'pending' };

/** Apple Pay. Missing values come from the checkout. Names of Apple's own request mean what they mean there. */
export type ApplePayOptions = {
  readonly version?: number;
  readonly total?: AppleLine | (() => AppleLine);
  readonly lineItems?: readonly AppleLine[] | (() => readonly AppleLine[]);
  readonly countryCode?: string | readonly string[];
  readonly checkAvailability?: 'canMakePayments' | 'canMakePaymentsWithActiveCard' | 'applePayCapabilities';
  /** `js`: Apple's own element, on pages that load Apple's script. */
  readonly buttonSource?: 'js' | 'css';
  readonly shippingMethods?: readonly WalletData[];
  readonly supportsCouponCode?: boolean;
  /** The parties whose data is sent with the payment. */
  readonly submitOnPaymentAuthorized?: readonly WalletParty[];
  /** Returns `{ status: 'SUCCESS' | 'FAILURE' | 'ABORT', errors }` or a promise of it; nothing means success. */
  readonly onPaymentAuthorized?: (payment: WalletData) => unknown;
  readonly onCouponCodeChanged?: (couponCode: string) => unknown;
  readonly onCancel?: (statusCode: string) => void;
} & Some<'displayName' | 'merchantIdentifier' | 'currencyCode' | 'style' | 'buttonStyle' | 'buttonType' | 'couponCode', string> &
  Some<'shippingType' | 'shippingContactEditingMode' | 'applicationData', string> &
  Some<'supportedNetworks' | 'supportedCountries' | 'merchantCapabilities', readonly string[]> &
  Some<'requiredBillingContactFields' | 'requiredShippingContactFields', readonly string[]> &
  Some<'billingContact' | 'shippingContact', WalletData> &
  /** Each returns `{ newTotal, newLineItems, errors }` or `{ status: 'ABORT' }`, or a promise of it. */
  Some<'onPaymentMethodSelected' | 'onShippingMethodSelected' | 'onShippingContactSelected', (about: WalletData) => unknown>;

/** Google Pay. Missing values come from the checkout. Names of Google's own request mean what they mean there. */
export type GooglePayOptions = {
  /** Accepted for existing pages and ignored: the checkout decides whether it is a test. */
  readonly environment?: string;
  readonly displayItems?: readonly WalletData[];
  readonly submitOnPaymentAuthorized?: readonly WalletParty[];
  /** Returns a promise of `{ transactionState: 'SUCCESS' | 'ERROR', error }`. */
  readonly onPaymentAuthorized?: (paymentData: WalletData) => unknown;
  readonly onPaymentDataChanged?: (paymentData: WalletData) => unknown;
  readonly onCancel?: (statusCode: string) => void;
} & Some<'gateway' | 'gatewayMerchantId' | 'merchantId' | 'merchantName' | 'countryCode', string> &
  Some<'totalPriceLabel' | 'checkoutOption' | 'buttonColor' | 'buttonType' | 'buttonSizeMode', string> &
  Some<'allowedAuthMethods' | 'allowedCardNetworks' | 'callbackIntents', readonly string[]> &
  Some<'allowPrepaidCards' | 'allowCreditCards' | 'existingPaymentMethodRequired' | 'emailRequired', boolean> &
  Some<'billingAddressRequired' | 'shippingAddressRequired' | 'shippingOptionRequired', boolean> &
  Some<'billingAddressParameters' | 'shippingAddressParameters' | 'shippingOptionParameters', WalletData>;

export type ErrorName = 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'PciIframeCommunicationError' | 'WidgetError';

export type WidgetError = Error & {
  readonly name: ErrorName;
  readonly brand?: string;
  readonly event?: string;
  readonly code?: string;
};

/** The few verbs of a jQuery object that hooks find in `this.$form`, `this.$container` and `this.$iframe`. jQuery itself is not needed. */
export type Wrapped = {
  readonly length: number;
  readonly [index: number]: Element;
  get(index: number): Element | undefined;
  eq(index: number): Wrapped;
  find(selector: string): Wrapped;
  closest(selector: string): Wrapped;
  parent(): Wrapped;
  is(selector: string): boolean;
  hasClass(name: string): boolean;
  addClass(name: string): Wrapped;
  removeClass(name: string): Wrapped;
  on(type: string, listener: (event: Event) => void): Wrapped;
  height(): number;
  width(): number;
  val(): string | undefined;
  val(value: string): Wrapped;
  text(): string;
  text(value: string): Wrapped;
  attr(name: string): string | undefined;
  attr(name: string, value: string): Wrapped;
  css(name: string): string | undefined;
  css(name: string, value: string): Wrapped;
};

/** `this` in a hook of a form. */
export type FormContext = {
  readonly $form: Wrapped;
  readonly $container?: Wrapped;
};

/** `this` in a hook of a field. */
export type FrameContext = {
  readonly $iframe: Wrapped;
};

/** `false`, a promise of `false`, a rejection or an exception stops the submission. */
export type BeforeHook = (this: FormContext, event: Event) => unknown;

/** Functions of the page. The widget looks them up when it calls them, so they may be set or replaced at any time. */
export type Hooks = {
  /** All forms are in the page. */
  readonly onReady?: (containers: readonly { readonly containerKey: string; readonly ccMethods: readonly string[] }[]) => void;
  /** Once for each field in a frame, when it can be used. */
  readonly onReadyIframeCommunication?: (this: FrameContext) => void;
  readonly onFocusIframeCommunication?: (this: FrameContext) => void;
  readonly onBlurIframeCommunication?: (this: FrameContext) => void;
  /** Another card brand is chosen; also called at the start. Empty while none is known. */
  readonly onChangeBrand?: (brand: string) => void;
  /** The brands that the number may be of changed. */
  readonly onDetectBrand?: (this: FormContext, brands: readonly string[], activeBrand: string) => void;
  /** With `brandDetectionType: 'binlist'`: the first digits of the number are known. */
  readonly onDetectBin?: (this: FormContext, bin: Readonly<Record<string, unknown>>) => void;
  readonly onBlurCardNumber?: (this: FormContext, isValid: boolean) => void;
  readonly onBlurSecurityCode?: (this: FormContext, isValid: boolean) => void;
  readonly onBlurCardHolder?: (this: FormContext, isValid: boolean) => void;
  readonly onBlurExpiryDate?: (this: FormContext, isValid: boolean) => void;
  readonly onBeforeSubmitCard?: BeforeHook;
  /** After `onBeforeSubmitCard`, for pages that answer with a promise: resolved goes on, rejected stops. */
  readonly onBeforeSubmitCardPromise?: BeforeHook;
  readonly onBeforeSubmitOneClickCard?: BeforeHook;
  readonly onBeforeSubmitDirectDebit?: BeforeHook;
  readonly onBeforeSubmitOnlineTransfer?: BeforeHook;
  readonly onBeforeSubmitVirtualAccount?: BeforeHook;
  readonly onBeforeSubmitInlineVirtualAccount?: BeforeHook;
  readonly onBeforeSubmitPrepayment?: BeforeHook;
  readonly onBeforeSubmitInvoice?: BeforeHook;
  readonly onBeforeSubmitGiftCard?: BeforeHook;
  /** The form was sent. */
  readonly onAfterSubmit?: (this: FormContext, event?: Event) => void;
  /** The frame for 3D Secure has something to show. `this` is that frame. */
  readonly onLoadThreeDIframe?: (this: HTMLIFrameElement) => void;
  /** With `useSummaryPage`: the entered data is saved. Your server carries it out by a POST to `resourcePath` with its token. */
  readonly onSaveTransactionData?: (this: FormContext, data: SavedData) => void;
  readonly onError?: (error: WidgetError) => void;
  /** The shopper has closed the window of the bank, and may try again in the same checkout. */
  readonly onLightboxCancel?: () => void;
  readonly onReadyExternal?: () => void;
  /**
   * The result of an attempt. With this hook a shopper whose payment was declined stays on the page and may try again. `false` keeps the
   * shopper on the page in any case; otherwise a success redirects to `result.url`.
   */
  readonly onResult?: (this: FormContext, result: WidgetResult) => unknown;
  /** The checkout has expired. Return the id of a new one, or a promise of it, to let the shopper continue without losing input. */
  readonly onExpired?: () => string | null | undefined | Promise<string | null | undefined>;
};

/**
 * Everything a page may set as `wpwlOptions`. Names that are not here are ignored. The widget reads an option when it needs it, so a page may
 * set it late or change it.
 */
export type Options = {
  /** Any code of the 26 languages, with or without a region: `de`, `pt-BR`, `dk`. English where it is none of them. */
  readonly locale?: string;
  /** The look: a card around each form, no card, badges as buttons, or no style sheet at all. */
  readonly style?: 'card' | 'plain' | 'logos' | 'none';
  readonly imageStyle?: string;
  readonly showLabels?: Flag;
  readonly showPlaceholders?: Flag;
  readonly showCVVHint?: Flag;
  /** Texts instead of ours, by their keys; keys of errors are taken here too. */
  readonly labels?: Words;
  readonly placeholders?: Words;
  readonly errorMessages?: Words;
  /** Styles of the placeholders inside the frames: `{ 'card-number-placeholder': { color: '#888' } }`. */
  readonly iframeStyles?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly spinner?: Readonly<Record<string, unknown>>;
  /** The field that has the focus at the start, by its wire name. */
  readonly autofocus?: string;
  readonly numberFormatting?: Flag;
  /** Brands whose own pages are shown inside this page instead of the whole tab. */
  readonly inlineFlow?: readonly string[];

  readonly requireCvv?: Flag;
  readonly allowEmptyCvv?: Flag;
  readonly maskCvv?: Flag;
  readonly allowEmptyCardHolderName?: Flag;
  readonly requireCardHolder?: Flag;
  readonly disableCardExpiryDateValidation?: Flag;
  readonly disableSubmitOnEnter?: Flag;
  readonly validation?: Flag;
  /** The brand is detected from the number, and the list of brands is hidden. */
  readonly brandDetection?: Flag;
  readonly brandDetectionType?: string;
  readonly brandDetectionPriority?: readonly string[];
  /** First and last name instead of one field for the holder. */
  readonly forceCardHolderEqualsBillingName?: Flag;
  /** Asks for the billing address, filled in with these values: country, state, city, postcode, street1, street2. */
  readonly billingAddress?: Readonly<Record<string, string>>;
  readonly mandatoryBillingFields?: Readonly<Record<string, Flag>>;
  readonly showBirthDate?: Flag;
  readonly showTaxNumberField?: Flag;
  readonly displayBic?: Flag;
  /** Holder and expiry date are in frames, too. */
  readonly enableSAQACompliance?: Flag;
  /** The size of the challenge window, 1 to 5. Default: by the width of the form. */
  readonly browser?: { readonly threeDChallengeWindow?: number | string };
  readonly threeDIframeSize?: { readonly width?: string; readonly height?: string };

  /** Where cards are sent and 3D Secure is shown: `_top`, or the name of your own frame. Default: a frame of the widget. */
  readonly paymentTarget?: string;
  readonly shopperResultTarget?: string;
  /** The result page, before the form's action. */
  readonly shopperResultUrl?: string;
  readonly useSummaryPage?: Flag;
  readonly registrations?: {
    readonly requireCvv?: Flag;
    readonly hideInitialPaymentForms?: Flag;
    /** Spelled so on real pages. */
    readonly hideInitialPayentForms?: Flag;
  };
  readonly applePay?: ApplePayOptions;
  readonly googlePay?: GooglePayOptions;

  /** Shows a checkbox "save this card", never preselected. */
  readonly saveCard?: Flag;
  /** The shopper can remove stored cards, after a confirmation. */
  readonly removeCards?: Flag;
  /** Default: light, unless the page declares a colour scheme. */
  readonly theme?: 'light' | 'dark' | 'auto';
  /** CSS variables of the theme without the leading dashes: `{ 'tp-accent': '#7a1fa2' }`. They also apply inside the frames. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Order of the groups of the card form: brand, cardNumber, expiry, cvv, cardHolder, personal, billing, createRegistration, submit. */
  readonly fieldOrder?: readonly string[];
  /** Elements of yours before or after a group of the card form: `{ 'before:submit': element }`. */
  readonly slots?: Readonly<Record<string, Element>>;
  /** Minutes before the checkout expires at which the shopper is warned. Default: 3. */
  readonly expiryWarningMinutes?: number;
} & Hooks;

/** The options of `turnpike.mount(element, options)`. */
export type MountOptions = Options & {
  readonly checkoutId: string;
  readonly brands: string | readonly string[];
  /** Your result page. */
  readonly action?: string;
};

/** A saved form. Card fields are encrypted. */
export type SavedData = {
  readonly id: string;
  readonly resourcePath: string;
  readonly fields: Readonly<Record<string, string>>;
};

export type Mounted = {
  update(options: Options): void;
  /** Removes the forms and restores the element. */
  unmount(): void;
  /** Pays with a form, by default the first one. Resolves to whether anything was sent. */
  executePayment(containerKey?: string): Promise<boolean>;
};

/** `window.wpwl`, and by a neutral name `window.turnpike`. It describes the checkout that was loaded last. */
export type Wpwl = {
  readonly apiVersion: '1';
  readonly minified: true;
  readonly timestamp: string;
  readonly ndc: string;
  readonly cacheVersion: string;
  readonly checkout: Record<string, unknown>;
  /** Removes all forms that were loaded by a script tag. */
  unload(): void;
  /** Pays with the form in that container, for example `wpwl-container-card`. Resolves to whether anything was sent. */
  executePayment(container: string): Promise<boolean>;
  update(options: Options): Promise<void>;
  mount(element: Element, options: MountOptions): Mounted;
};

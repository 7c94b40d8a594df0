import type { WidgetResult } from '../spec/widget.ts';

/**
 * `wpwlOptions`, as pages of this API family write it. Flags may come as the words "true" and "false". Names that are not here are
 * ignored without a word. Everything is looked up at the moment it is needed: pages set options late and change them.
 */
export type Options = {
  readonly locale?: string;
  readonly style?: 'card' | 'plain' | 'logos' | 'none';
  readonly imageStyle?: string;
  readonly showLabels?: Flag;
  readonly showPlaceholders?: Flag;
  readonly showCVVHint?: Flag;
  readonly labels?: Words;
  readonly placeholders?: Words;
  readonly errorMessages?: Words;
  readonly iframeStyles?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly spinner?: Readonly<Record<string, unknown>>;
  readonly autofocus?: string;
  readonly numberFormatting?: Flag;
  readonly inlineFlow?: readonly string[];

  readonly requireCvv?: Flag;
  readonly allowEmptyCvv?: Flag;
  readonly maskCvv?: Flag;
  readonly allowEmptyCardHolderName?: Flag;
  readonly requireCardHolder?: Flag;
  readonly disableCardExpiryDateValidation?: Flag;
  readonly disableSubmitOnEnter?: Flag;
  readonly validation?: Flag;
  readonly brandDetection?: Flag;
  readonly brandDetectionType?: string;
  readonly brandDetectionPriority?: readonly string[];
  readonly forceCardHolderEqualsBillingName?: Flag;
  readonly billingAddress?: Readonly<Record<string, string>>;
  readonly mandatoryBillingFields?: Readonly<Record<string, Flag>>;
  readonly showBirthDate?: Flag;
  readonly showTaxNumberField?: Flag;
  readonly displayBic?: Flag;
  readonly enableSAQACompliance?: Flag;
  readonly browser?: { readonly threeDChallengeWindow?: number | string };
  readonly threeDIframeSize?: { readonly width?: string; readonly height?: string };

  readonly paymentTarget?: string;
  readonly shopperResultTarget?: string;
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

  // Ours, for pages that want more.
  /** A box "save this card", with words of its own and never ticked beforehand. */
  readonly saveCard?: Flag;
  /** Stored cards can be removed by the shopper, who is asked first. */
  readonly removeCards?: Flag;
  readonly theme?: 'light' | 'dark' | 'auto';
  /** CSS variables of the theme by name without the leading dashes, e.g. `tp-accent`. They reach the frames too. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Order of the groups of the card form, e.g. ['cardHolder', 'cardNumber', 'expiry', 'cvv', 'brand', 'submit']. */
  readonly fieldOrder?: readonly string[];
  /** Elements to be put before or after a group of the card form: `{ 'before:submit': element }`. */
  readonly slots?: Readonly<Record<string, Element>>;
  /** Minutes before the end of the checkout at which the shopper is told. */
  readonly expiryWarningMinutes?: number;
} & Hooks;

export type Flag = boolean | 'true' | 'false';
export type Words = Readonly<Record<string, string>>;

/** What a wallet tells of a shopper or a payment, as its own documents describe it. */
export type WalletData = Readonly<Record<string, unknown>>;
export type WalletParty = 'customer' | 'billing' | 'shipping';
type Some<Names extends string, Value> = { readonly [Name in Names]?: Value };

/** A line of Apple's sheet. */
export type AppleLine = { readonly label?: string; readonly amount?: string | number; readonly type?: 'final' | 'pending' };

/** Apple Pay: what is not said here comes from the checkout. Names of Apple's own request mean what they mean there. */
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
  /** Whose data of the sheet are sent with the payment. */
  readonly submitOnPaymentAuthorized?: readonly WalletParty[];
  /** Answers, itself or by a promise, `{ status: 'SUCCESS' | 'FAILURE' | 'ABORT', errors }`; nothing means success. */
  readonly onPaymentAuthorized?: (payment: WalletData) => unknown;
  readonly onCouponCodeChanged?: (couponCode: string) => unknown;
  readonly onCancel?: (statusCode: string) => void;
} & Some<'displayName' | 'merchantIdentifier' | 'currencyCode' | 'style' | 'buttonStyle' | 'buttonType' | 'couponCode', string> &
  Some<'shippingType' | 'shippingContactEditingMode' | 'applicationData', string> &
  Some<'supportedNetworks' | 'supportedCountries' | 'merchantCapabilities', readonly string[]> &
  Some<'requiredBillingContactFields' | 'requiredShippingContactFields', readonly string[]> &
  Some<'billingContact' | 'shippingContact', WalletData> &
  /** Each answers, itself or by a promise, `{ newTotal, newLineItems, errors }`, or `{ status: 'ABORT' }`. */
  Some<'onPaymentMethodSelected' | 'onShippingMethodSelected' | 'onShippingContactSelected', (about: WalletData) => unknown>;

/** Google Pay: what is not said here comes from the checkout. Names of Google's own request mean what they mean there. */
export type GooglePayOptions = {
  /** Taken for the sake of existing pages: the checkout says whether it is a test. */
  readonly environment?: string;
  readonly displayItems?: readonly WalletData[];
  readonly submitOnPaymentAuthorized?: readonly WalletParty[];
  /** Answers, by a promise, `{ transactionState: 'SUCCESS' | 'ERROR', error }`. */
  readonly onPaymentAuthorized?: (paymentData: WalletData) => unknown;
  readonly onPaymentDataChanged?: (paymentData: WalletData) => unknown;
  readonly onCancel?: (statusCode: string) => void;
} & Some<'gateway' | 'gatewayMerchantId' | 'merchantId' | 'merchantName' | 'countryCode', string> &
  Some<'totalPriceLabel' | 'checkoutOption' | 'buttonColor' | 'buttonType' | 'buttonSizeMode', string> &
  Some<'allowedAuthMethods' | 'allowedCardNetworks' | 'callbackIntents', readonly string[]> &
  Some<'allowPrepaidCards' | 'allowCreditCards' | 'existingPaymentMethodRequired' | 'emailRequired', boolean> &
  Some<'billingAddressRequired' | 'shippingAddressRequired' | 'shippingOptionRequired', boolean> &
  Some<'billingAddressParameters' | 'shippingAddressParameters' | 'shippingOptionParameters', WalletData>;

/** The names of an error that a shop is told about. */
export type ErrorName = 'InvalidCheckoutIdError' | 'PciIframeSubmitError' | 'PciIframeCommunicationError' | 'WidgetError';

export type WidgetError = Error & {
  readonly name: ErrorName;
  readonly brand?: string;
  readonly event?: string;
  readonly code?: string;
};

type Before = (event: Event) => unknown;

/** What is known of a form that was saved; of a card's fields only the sealed text. */
export type SavedData = {
  readonly id: string;
  readonly resourcePath: string;
  readonly fields: Readonly<Record<string, string>>;
};

/** `false`, or a promise of it, or a rejection stops a submission; everything else lets it go on. */
export type Hooks = {
  readonly onReady?: (containers: readonly { readonly containerKey: string; readonly ccMethods: readonly string[] }[]) => void;
  readonly onReadyIframeCommunication?: () => void;
  readonly onFocusIframeCommunication?: () => void;
  readonly onBlurIframeCommunication?: () => void;
  readonly onChangeBrand?: (brand: string) => void;
  readonly onDetectBrand?: (brands: readonly string[], activeBrand: string) => void;
  readonly onDetectBin?: (bin: Readonly<Record<string, unknown>>) => void;
  readonly onBlurCardNumber?: (isValid: boolean) => void;
  readonly onBlurSecurityCode?: (isValid: boolean) => void;
  readonly onBlurCardHolder?: (isValid: boolean) => void;
  readonly onBlurExpiryDate?: (isValid: boolean) => void;
  readonly onBeforeSubmitCard?: Before;
  readonly onBeforeSubmitCardPromise?: Before;
  readonly onBeforeSubmitOneClickCard?: Before;
  readonly onBeforeSubmitDirectDebit?: Before;
  readonly onBeforeSubmitOnlineTransfer?: Before;
  readonly onBeforeSubmitVirtualAccount?: Before;
  readonly onBeforeSubmitInlineVirtualAccount?: Before;
  readonly onBeforeSubmitPrepayment?: Before;
  readonly onBeforeSubmitInvoice?: Before;
  readonly onBeforeSubmitGiftCard?: Before;
  readonly onAfterSubmit?: (event?: Event) => void;
  readonly onLoadThreeDIframe?: () => void;
  readonly onSaveTransactionData?: (data: SavedData) => void;
  readonly onError?: (error: WidgetError) => void;
  readonly onLightboxCancel?: () => void;
  readonly onReadyExternal?: () => void;
  /** Ours: how an attempt ended. `false` keeps the shopper on the page; otherwise he goes on to the result page. */
  readonly onResult?: (result: WidgetResult) => unknown;
  /** Ours: the time of the checkout is over; a new checkout id may be returned to go on with. */
  readonly onExpired?: () => string | null | undefined | Promise<string | null | undefined>;
};

/** What `turnpike.mount(element, options)` takes. */
export type MountOptions = Options & {
  readonly checkoutId: string;
  readonly brands: string | readonly string[];
  readonly action?: string;
};
export type Mounted = {
  update(options: Options): void;
  unmount(): void;
  executePayment(containerKey?: string): Promise<boolean>;
};

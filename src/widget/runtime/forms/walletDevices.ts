import type { WalletOptions } from '../../options.ts';
import type { Surroundings } from '../contract.ts';

/** What a wallet of the device gives for a payment. */
export type WalletToken = { readonly wire: string; readonly token: string };

/** A wallet as the device has it. */
export interface WalletDevice {
  /** Whether this device can pay by it at all. */
  isThere(): Promise<boolean>;
  /** Opens its sheet, in the very click that asked for it. Null: the shopper has closed it. */
  ask(): Promise<WalletToken | null>;
}

/** The little of Apple's session that is used. */
interface AppleSession {
  begin(): void;
  abort(): void;
  completeMerchantValidation(session: unknown): void;
  completePayment(result: { readonly status: number }): void;
  onvalidatemerchant: ((event: { readonly validationURL: string }) => void) | null;
  onpaymentauthorized: ((event: { readonly payment: { readonly token: { readonly paymentData: unknown } } }) => void) | null;
  oncancel: (() => void) | null;
}
type AppleSessions = {
  new (version: number, request: unknown): AppleSession;
  readonly STATUS_SUCCESS: number;
  canMakePayments(): boolean;
};
type Devices = Window & { readonly ApplePaySession?: AppleSessions };

const words = (value: unknown, otherwise: readonly string[]): readonly string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string') ? value : otherwise;
const word = (value: unknown, otherwise: string): string => (typeof value === 'string' && value !== '' ? value : otherwise);

const countryOf = (options: WalletOptions): string => word(options.countryCode, 'DE');

function appleRequest({ session }: Surroundings, options: WalletOptions): unknown {
  return {
    countryCode: countryOf(options),
    currencyCode: word(options.currencyCode, session.currency ?? 'EUR'),
    supportedNetworks: words(options.supportedNetworks, ['visa', 'masterCard', 'amex', 'maestro']),
    merchantCapabilities: words(options.merchantCapabilities, ['supports3DS']),
    total: { label: word(options.displayName, session.merchantName), amount: session.amount ?? '0.00', type: 'final' },
  };
}

/** Apple's wallet. The gateway proves to Apple that it may ask: the certificate for that is not the page's. */
export function appleDevice(around: Surroundings): WalletDevice {
  const sessions = (around.window as Devices).ApplePaySession;
  const options = (): WalletOptions => around.options().applePay ?? {};
  return {
    isThere: async () => {
      try {
        return sessions?.canMakePayments() === true;
      } catch {
        return false;
      }
    },
    ask: () =>
      new Promise((resolve, reject) => {
        if (!sessions) throw new Error('There is no Apple Pay on this device');
        const version = typeof options().version === 'number' ? (options().version as number) : 3;
        const session = new sessions(version, appleRequest(around, options()));
        session.onvalidatemerchant = ({ validationURL }) => {
          merchantSession(around, validationURL).then(
            (proof) => session.completeMerchantValidation(proof),
            (error) => {
              session.abort();
              reject(error);
            },
          );
        };
        session.onpaymentauthorized = ({ payment }) => {
          session.completePayment({ status: sessions.STATUS_SUCCESS });
          resolve({ wire: 'applePay.paymentToken', token: JSON.stringify(payment.token.paymentData) });
        };
        session.oncancel = () => resolve(null);
        session.begin();
      }),
  };
}

async function merchantSession(around: Surroundings, validationUrl: string): Promise<unknown> {
  const { origin, checkoutId } = around.given;
  const answer = await around.window.fetch(`${origin}/v1/checkouts/${encodeURIComponent(checkoutId)}/walletSession`, {
    method: 'POST',
    body: new URLSearchParams({ validationUrl, paymentBrand: 'APPLEPAY' }),
  });
  if (!answer.ok) throw new Error('Apple Pay could not be opened for this shop');
  return answer.json();
}

function googleMethod(around: Surroundings): PaymentMethodData {
  const options: WalletOptions = around.options().googlePay ?? {};
  const { session } = around;
  return {
    supportedMethods: 'https://google.com/pay',
    data: {
      environment: session.isTest ? 'TEST' : 'PRODUCTION',
      apiVersion: 2,
      apiVersionMinor: 0,
      merchantInfo: { merchantId: word(options.merchantId, ''), merchantName: word(options.merchantName, session.merchantName) },
      allowedPaymentMethods: [
        {
          type: 'CARD',
          parameters: {
            allowedAuthMethods: words(options.allowedAuthMethods, ['PAN_ONLY', 'CRYPTOGRAM_3DS']),
            allowedCardNetworks: words(options.allowedCardNetworks, ['VISA', 'MASTERCARD', 'AMEX']),
          },
          tokenizationSpecification: {
            type: 'PAYMENT_GATEWAY',
            parameters: { gateway: word(options.gateway, 'turnpike'), gatewayMerchantId: word(options.gatewayMerchantId, '') },
          },
        },
      ],
      transactionInfo: {
        countryCode: countryOf(options),
        currencyCode: session.currency ?? 'EUR',
        totalPriceStatus: 'FINAL',
        totalPrice: session.amount ?? '0.00',
      },
    },
  };
}

type GoogleAnswer = { readonly paymentMethodData?: { readonly tokenizationData?: { readonly token?: unknown } } };

/** Google's wallet, by the browser's own payment sheet: no script of another house is needed in the shop's page. */
export function googleDevice(around: Surroundings): WalletDevice {
  const request = (): PaymentRequest => {
    const { amount, currency, merchantName } = around.session;
    const total = { label: merchantName, amount: { currency: currency ?? 'EUR', value: amount ?? '0.00' } };
    return new PaymentRequest([googleMethod(around)], { total });
  };
  return {
    isThere: async () => {
      if (!('PaymentRequest' in around.window) || !around.window.isSecureContext) return false;
      try {
        return await request().canMakePayment();
      } catch {
        return false;
      }
    },
    async ask() {
      try {
        const response = await request().show();
        await response.complete('success');
        const token = (response.details as GoogleAnswer).paymentMethodData?.tokenizationData?.token;
        if (typeof token !== 'string') throw new Error('Google Pay gave no token');
        return { wire: 'googlePay.paymentToken', token };
      } catch (error) {
        if (error instanceof DOMException && error.name === 'AbortError') return null;
        throw error;
      }
    },
  };
}

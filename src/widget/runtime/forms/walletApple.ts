import { versionOf } from './walletAppleRequest.ts';
import { type AppleSessions, AppleSheet, appleOptions } from './walletAppleSheet.ts';
import { type WalletDevice, type WalletOf, word } from './walletDevice.ts';

/** Apple's wallet. */
export function appleDevice(of: WalletOf): WalletDevice {
  const { around, brand } = of;
  const { window } = around;
  const sessions = (): AppleSessions | undefined => (window as { readonly ApplePaySession?: AppleSessions }).ApplePaySession;
  let sheet: AppleSheet | null = null;
  return {
    async isThere() {
      try {
        const made = sessions();
        const { checkAvailability, merchantIdentifier, ...options } = appleOptions(around);
        if (!made?.canMakePayments() || made.supportsVersion?.(versionOf(options)) === false) return false;
        const id = word(merchantIdentifier, brand.wallet?.merchantIdentifier ?? '');
        if (checkAvailability === 'canMakePaymentsWithActiveCard')
          return (await made.canMakePaymentsWithActiveCard?.(id)) === true;
        if (checkAvailability !== 'applePayCapabilities' || !made.applePayCapabilities) return true;
        return (await made.applePayCapabilities(id)).paymentCredentialStatus !== 'applePayUnsupported';
      } catch {
        // A page that is not secure may not even ask.
        return false;
      }
    },
    button: () => null,
    open: (events) =>
      new Promise((given, failed) => {
        const made = sessions();
        if (!made) throw new Error('There is no Apple Pay on this device');
        // One that stayed after a decline would be in the way.
        sheet?.drop();
        sheet = new AppleSheet(of, made, { ...events, given, failed });
      }),
    end: (isGood) => sheet?.end(isGood),
    drop: () => sheet?.drop(),
  };
}

import { checkoutReturn, forgetStored, sealFields, submitCheckout, widgetSession } from './checkouts.ts';
import { componentPage, componentResult } from './component.ts';
import { paymentLink } from './paymentLink.ts';
import {
  shopperReturn,
  threeDSBrowser,
  threeDSContinue,
  threeDSMethod,
  threeDSPage,
  threeDSResults,
  threeDSReturn,
} from './threeDS.ts';
import {
  walletSession,
  widgetBrandImage,
  widgetField,
  widgetFile,
  widgetInventory,
  widgetScript,
  widgetTarget,
  widgetTypings,
} from './widget.ts';

/** The endpoints of shoppers' browsers: the payment widget, its forms, and the pages of 3D Secure. */
export const shopperHandlers = {
  payCheckout: submitCheckout,
  registerCheckout: submitCheckout,
  sealFields,
  walletSession,
  checkoutReturn,
  paymentLink,
  widgetSession,
  forgetStored,
  widgetScript,
  widgetBrandImage,
  widgetTypings,
  widgetFile,
  widgetField,
  widgetTarget,
  widgetInventory,
  shopperReturn,
  shopperReturnForm: shopperReturn,
  componentPage,
  componentResult,
  threeDSPage,
  threeDSBrowser,
  threeDSContinue,
  threeDSMethod,
  threeDSReturn,
  threeDSResults,
} as const;

// Generated from the tables of src/spec by scripts/docs.ts: change those.

/** An amount as `92.00`, or as a count of hundredths: `9200n`. */
export type Amount = string | bigint;
/** A flag as a boolean, or as the API writes it. */
export type Flag = boolean | 'true' | 'false';

/** Basic payment. */
export type BasicParameters = {
  /** N10.N2 (decimals optional). The total amount; it includes tax, shipping and the like. */
  readonly amount?: Amount | undefined;
  /** N10.N2. Tax contained in the amount. */
  readonly taxAmount?: Amount | undefined;
  /** N10.N2. Discount on the whole invoice, for level 3 card data. */
  readonly discountAmount?: Amount | undefined;
  /** A3, upper case. ISO 4217 code. */
  readonly currency?: string | undefined;
  /** AN 1-32, letters, digits, underscore. Required unless the card number determines the brand. */
  readonly paymentBrand?: string | undefined;
  /** A2. PA, DB or CD start a payment, PA.CP stands for DB; CP, RV or RF refer to an earlier payment; CB, CR, RB or RC record an action of a bank. */
  readonly paymentType?: 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'CB' | 'CR' | 'RB' | 'RC' | 'PA.CP' | undefined;
  /** true or false. With true the reply contains the hash of the widget script, so that the browser can verify it. */
  readonly integrity?: Flag | undefined;
  /** key AN 1-32 (letters, digits, underscore); value A2. A payment type of its own for one brand; only when a checkout is created. */
  readonly [name: `overridePaymentType[${string}]`]: 'PA' | 'DB' | 'CD' | 'CP' | 'RV' | 'RF' | 'CB' | 'CR' | 'RB' | 'RC' | undefined;
  /** AN 1-127. First line of the shopper's statement, or a part of it; merchant.name may replace it. */
  readonly descriptor?: string | undefined;
  /** AN 8-255. The merchant's own reference, best unique; reconciliation uses it. */
  readonly merchantTransactionId?: string | undefined;
  /** AN 8-255. Invoice number, best unique; stays here. */
  readonly merchantInvoiceId?: string | undefined;
  /** AN 8-255. A remark that only reports show. */
  readonly merchantMemo?: string | undefined;
  /** AN 0-32, letters and digits. EC e-commerce, MO mail order, TO telephone order, PO point of sale, PM mobile point of sale, MOTO mail or telephone. */
  readonly transactionCategory?: 'EC' | 'MO' | 'TO' | 'PO' | 'PM' | 'MOTO' | undefined;
  /** AN. FINAL says that no further capture, reversal or refund of this kind follows. */
  readonly sequence?: string | undefined;
  /** N2, 1 to 98. Maximum number of captures. */
  readonly numberOfCaptures?: string | number | undefined;
  /** AN 0-15, letters and digits. One for each order. */
  readonly promotionCode?: string | undefined;
  /** AN 1-10. Language and country such as de-AT, as far as the connector knows them. */
  readonly locale?: string | undefined;
  /** AN 1-35. The card network’s identifier that later transactions are linked by. */
  readonly transactionLinkId?: string | undefined;
  /** AN35. Links an authorization with its increments, reversals and captures. */
  readonly lifecycleId?: string | undefined;
  /** AN32. The referenced payment as a parameter instead of in the path, for REAUTHORIZATION and INCREMENTAL_AUTH. */
  readonly referenceUuid?: string | undefined;
  /** AN 1-12. Some money transfers to recipients in Argentina, Bangladesh, Chile, Colombia, Egypt and India need it. */
  readonly transactionPurposeCode?: string | undefined;
  /** AN 1-10. */
  readonly integrationType?: string | undefined;
  /** AN2. Business application identifier of one network's money transfers. */
  readonly transactionBai?: string | undefined;
  /** AN3. Transaction type identifier of another network's money transfers. */
  readonly transactionTti?: string | undefined;
  /** PURCHASE, FUNDING, PAYMENT. Default PURCHASE; the others mark the two legs of a money transfer. */
  readonly transactionProcessingCode?: 'PURCHASE' | 'FUNDING' | 'PAYMENT' | undefined;
  /** EXTERNAL or INTERNAL. Test environment only. INTERNAL (default) uses our simulators, EXTERNAL the processor's test system. */
  readonly testMode?: 'EXTERNAL' | 'INTERNAL' | undefined;
};

/** Forex. */
export type ForexParameters = {
  /** N10.N2. The amount after conversion, when a currency is converted on the way. */
  readonly 'forex.amount'?: Amount | undefined;
  /** A3, upper case. The currency converted into. */
  readonly 'forex.currency'?: string | undefined;
};

/** Authentication parameters. */
export type AuthenticationParameters = {
  /** AN32, a-f and 0-9. The channel, or the merchant where payments are dispatched to channels. */
  readonly entityId?: string | undefined;
  /** AN32, a-f and 0-9. Older clients only: the user, instead of an access token. */
  readonly 'authentication.userId'?: string | undefined;
  /** AN 1-128. Older clients only: the password that goes with the user. */
  readonly 'authentication.password'?: string | undefined;
  /** AN32, a-f and 0-9. Older clients only: the same as entityId. */
  readonly 'authentication.entityId'?: string | undefined;
};

/** Card account. */
export type CardParameters = {
  /** A 3-128. Name on the card: letters of any script, spaces and . , ' -. When testing, a result code forces that result. */
  readonly 'card.holder'?: string | undefined;
  /** N 8-32. The card number. */
  readonly 'card.number'?: string | undefined;
  /** N2, 01 to 12. */
  readonly 'card.expiryMonth'?: string | undefined;
  /** N4, 19xx or 20xx. */
  readonly 'card.expiryYear'?: string | undefined;
  /** N 3-4. Security code; never stored. */
  readonly 'card.cvv'?: string | undefined;
  /** PAN or DPAN. A DPAN replaces the card number in one device's wallet. */
  readonly 'card.numberType'?: 'PAN' | 'DPAN' | undefined;
};

/** Digital wallets. */
export type WalletsParameters = {
  /** provider-defined. The encrypted payment token as the wallet gave it. */
  readonly 'walletA.paymentToken'?: string | undefined;
  /** provider-defined. The network in the wallet's token; this wallet only. */
  readonly 'walletA.cardNetwork'?: string | undefined;
  /** provider-defined. The card type in the wallet's token; this wallet only. */
  readonly 'walletA.cardType'?: string | undefined;
  /** provider-defined. The encrypted payment token as the wallet gave it. */
  readonly 'walletB.paymentToken'?: string | undefined;
  /** provider-defined. The encrypted payment token as the wallet gave it. */
  readonly 'walletC.paymentToken'?: string | undefined;
  /** web or app. Where the wallet was opened, when the merchant sends decrypted card data. */
  readonly 'walletA.source'?: 'web' | 'app' | undefined;
  /** web or app. Where the wallet was opened, when the merchant sends decrypted card data. */
  readonly 'walletB.source'?: 'web' | 'app' | undefined;
  /** web or app. Where the wallet was opened, when the merchant sends decrypted card data. */
  readonly 'walletC.source'?: 'web' | 'app' | undefined;
};

/** Virtual account. */
export type VirtualAccountParameters = {
  /** AN 1-100. The shopper's account at an account-based payment method. */
  readonly 'virtualAccount.accountId'?: string | undefined;
};

/** Bank account. */
export type BankAccountParameters = {
  /** AN 4-128. Name of the account holder. */
  readonly 'bankAccount.holder'?: string | undefined;
  /** AN 1-255. Name of the bank; some methods ask for it. */
  readonly 'bankAccount.bankName'?: string | undefined;
  /** AN 3-64, letters and digits. This or the IBAN must be there. */
  readonly 'bankAccount.number'?: string | undefined;
  /** AN 15-31: 2 letters, 2 digits, 11-27 letters or digits. This or the account number must be there. */
  readonly 'bankAccount.iban'?: string | undefined;
  /** AN 1-12, letters and digits. This or the BIC must be there. */
  readonly 'bankAccount.bankCode'?: string | undefined;
  /** AN, 8 or 11 letters and digits. This or the bank code must be there. */
  readonly 'bankAccount.bic'?: string | undefined;
  /** A2. Country of the account, ISO 3166-1. */
  readonly 'bankAccount.country'?: string | undefined;
  /** AN 0-256, letters and hyphen. The mandate for the direct debit. */
  readonly 'bankAccount.mandate.id'?: string | undefined;
  /** yyyy-MM-dd. The day the mandate was signed. */
  readonly 'bankAccount.mandate.dateOfSignature'?: string | undefined;
  /** yyyy-MM-dd. The day the direct debit falls due. */
  readonly transactionDueDate?: string | undefined;
};

/** Token account. */
export type TokenAccountParameters = {
  /** N 12-19. A token for the card, issued by another party. */
  readonly 'tokenAccount.number'?: string | undefined;
  /** EXTERNAL or NETWORK. EXTERNAL: an acquirer's or other provider's token; NETWORK: the card scheme's. */
  readonly 'tokenAccount.type'?: 'EXTERNAL' | 'NETWORK' | undefined;
  /** N2, 01 to 12. */
  readonly 'tokenAccount.expiryMonth'?: string | undefined;
  /** N4. */
  readonly 'tokenAccount.expiryYear'?: string | undefined;
  /** AN 28-32. One-time cryptogram in base64. */
  readonly 'tokenAccount.cryptogram'?: string | undefined;
  /** N 3-4. One-time verification code of the token. */
  readonly 'tokenAccount.dtvc'?: string | undefined;
};

/** Customer. */
export type CustomerParameters = {
  /** AN 1-255. The shopper's id in the shop. */
  readonly 'customer.merchantCustomerId'?: string | undefined;
  /** AN 1-50. Required when another customer parameter is sent. */
  readonly 'customer.givenName'?: string | undefined;
  /** AN 2-50. */
  readonly 'customer.middleName'?: string | undefined;
  /** AN 1-50. Required when another customer parameter is sent. */
  readonly 'customer.surname'?: string | undefined;
  /** M or F. */
  readonly 'customer.sex'?: 'M' | 'F' | undefined;
  /** yyyy-MM-dd. */
  readonly 'customer.birthDate'?: string | undefined;
  /** AN up to 25, starts with + or a digit, then digits, space, dot, parentheses, slash, hyphen. Some risk checks need it. */
  readonly 'customer.phone'?: string | undefined;
  /** same as phone. */
  readonly 'customer.mobile'?: string | undefined;
  /** AN 1-25. */
  readonly 'customer.workPhone'?: string | undefined;
  /** AN 6-128. Some risk checks and the sending of mandates need it. */
  readonly 'customer.email'?: string | undefined;
  /** AN 1-60. */
  readonly 'customer.companyName'?: string | undefined;
  /** IDCARD, PASSPORT, TAXSTATEMENT. Goes with identificationDocId; some methods need both. */
  readonly 'customer.identificationDocType'?: 'IDCARD' | 'PASSPORT' | 'TAXSTATEMENT' | undefined;
  /** AN 8-64. Goes with identificationDocType. */
  readonly 'customer.identificationDocId'?: string | undefined;
  /** AN 1-255. The shopper's network address. */
  readonly 'customer.ip'?: string | undefined;
  /** AN. What the payee knows the payer by. */
  readonly 'customer.merchantReference'?: string | undefined;
  /** MR, MRS, MS, MX. */
  readonly 'customer.salutation'?: 'MR' | 'MRS' | 'MS' | 'MX' | undefined;
  /** 2 upper-case letters. NO or DE, for instance. */
  readonly 'customer.language'?: string | undefined;
  /** INDIVIDUAL or COMPANY. */
  readonly 'customer.category'?: 'INDIVIDUAL' | 'COMPANY' | undefined;
  /** NEW or EXISTING. */
  readonly 'customer.status'?: 'NEW' | 'EXISTING' | undefined;
  /** AN 1-255. */
  readonly 'customer.browserFingerprint.id'?: string | undefined;
  /** AN 1-4096. */
  readonly 'customer.browserFingerprint.value'?: string | undefined;
  /** AN 1-2048. The browser's Accept header. Required for 3D Secure version 2. */
  readonly 'customer.browser.acceptHeader'?: string | undefined;
  /** AN 1-8. Language tag of BCP 47. Required for 3D Secure version 2. */
  readonly 'customer.browser.language'?: string | undefined;
  /** AN 1-6. In pixels. Required for 3D Secure version 2. */
  readonly 'customer.browser.screenHeight'?: string | undefined;
  /** AN 1-6. In pixels. Required for 3D Secure version 2. */
  readonly 'customer.browser.screenWidth'?: string | undefined;
  /** AN 1-5. Minutes from the browser's local time to UTC: positive west of Greenwich, negative east of it. Required for 3D Secure version 2. */
  readonly 'customer.browser.timezone'?: string | undefined;
  /** AN 1-2048. Required for 3D Secure version 2. */
  readonly 'customer.browser.userAgent'?: string | undefined;
  /** true or false. Required for 3D Secure version 2. */
  readonly 'customer.browser.javaEnabled'?: Flag | undefined;
  /** N 1-2. Bits of one pixel. */
  readonly 'customer.browser.screenColorDepth'?: string | undefined;
  /** N1. Code of one of the agreed window sizes. */
  readonly 'customer.browser.challengeWindow'?: string | undefined;
  /** AN 1-32. */
  readonly 'customer.browser.deviceId'?: string | undefined;
  /** AN 1-40. */
  readonly 'customer.app.deviceId'?: string | undefined;
};

/** Shipping customer. */
export type ShippingCustomerParameters = {
  /** AN 1-255. The shopper's id in the shop. */
  readonly 'shipping.customer.merchantCustomerId'?: string | undefined;
  /** AN 1-50. Required when another customer parameter is sent. */
  readonly 'shipping.customer.givenName'?: string | undefined;
  /** AN 2-50. */
  readonly 'shipping.customer.middleName'?: string | undefined;
  /** AN 1-50. Required when another customer parameter is sent. */
  readonly 'shipping.customer.surname'?: string | undefined;
  /** M or F. */
  readonly 'shipping.customer.sex'?: 'M' | 'F' | undefined;
  /** yyyy-MM-dd. */
  readonly 'shipping.customer.birthDate'?: string | undefined;
  /** AN up to 25, starts with + or a digit, then digits, space, dot, parentheses, slash, hyphen. Some risk checks need it. */
  readonly 'shipping.customer.phone'?: string | undefined;
  /** same as phone. */
  readonly 'shipping.customer.mobile'?: string | undefined;
  /** AN 1-25. */
  readonly 'shipping.customer.workPhone'?: string | undefined;
  /** AN 6-128. Some risk checks and the sending of mandates need it. */
  readonly 'shipping.customer.email'?: string | undefined;
  /** AN 1-60. */
  readonly 'shipping.customer.companyName'?: string | undefined;
  /** IDCARD, PASSPORT, TAXSTATEMENT. Goes with identificationDocId; some methods need both. */
  readonly 'shipping.customer.identificationDocType'?: 'IDCARD' | 'PASSPORT' | 'TAXSTATEMENT' | undefined;
  /** AN 8-64. Goes with identificationDocType. */
  readonly 'shipping.customer.identificationDocId'?: string | undefined;
  /** AN 1-255. The shopper's network address. */
  readonly 'shipping.customer.ip'?: string | undefined;
  /** AN. What the payee knows the payer by. */
  readonly 'shipping.customer.merchantReference'?: string | undefined;
  /** MR, MRS, MS, MX. */
  readonly 'shipping.customer.salutation'?: 'MR' | 'MRS' | 'MS' | 'MX' | undefined;
  /** 2 upper-case letters. NO or DE, for instance. */
  readonly 'shipping.customer.language'?: string | undefined;
  /** INDIVIDUAL or COMPANY. */
  readonly 'shipping.customer.category'?: 'INDIVIDUAL' | 'COMPANY' | undefined;
  /** NEW or EXISTING. */
  readonly 'shipping.customer.status'?: 'NEW' | 'EXISTING' | undefined;
  /** AN 1-2048. The browser's Accept header. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.acceptHeader'?: string | undefined;
  /** AN 1-8. Language tag of BCP 47. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.language'?: string | undefined;
  /** AN 1-6. In pixels. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.screenHeight'?: string | undefined;
  /** AN 1-6. In pixels. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.screenWidth'?: string | undefined;
  /** AN 1-5. Minutes from the browser's local time to UTC: positive west of Greenwich, negative east of it. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.timezone'?: string | undefined;
  /** AN 1-2048. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.userAgent'?: string | undefined;
  /** true or false. Required for 3D Secure version 2. */
  readonly 'shipping.customer.browser.javaEnabled'?: Flag | undefined;
  /** N 1-2. Bits of one pixel. */
  readonly 'shipping.customer.browser.screenColorDepth'?: string | undefined;
  /** N1. Code of one of the agreed window sizes. */
  readonly 'shipping.customer.browser.challengeWindow'?: string | undefined;
};

/** Billing address. */
export type BillingParameters = {
  /** AN 1-100. Required for 3D Secure version 2. */
  readonly 'billing.street1'?: string | undefined;
  /** AN 1-100. Both street lines together must not be digits alone. */
  readonly 'billing.street2'?: string | undefined;
  /** AN 1-100. With it street1 is the bare street name and street2 is not read. */
  readonly 'billing.houseNumber1'?: string | undefined;
  /** AN 1-100. Only with houseNumber1. */
  readonly 'billing.houseNumber2'?: string | undefined;
  /** AN 1-80. Required for 3D Secure version 2. */
  readonly 'billing.city'?: string | undefined;
  /** AN 1-50, letters, digits, dot. */
  readonly 'billing.state'?: string | undefined;
  /** AN 1-16, letters and digits. Required for 3D Secure version 2. */
  readonly 'billing.postcode'?: string | undefined;
  /** A2, upper case. ISO 3166-1. Required for 3D Secure version 2. */
  readonly 'billing.country'?: string | undefined;
  /** AN 1-255. The address in its normalized form. */
  readonly 'billing.normalized'?: string | undefined;
  /** AN 1-255. Whether the address was validated and the shopper agreed to the normalized form. */
  readonly 'billing.validationStatus'?: string | undefined;
};

/** Merchant billing address. */
export type MerchantBillingParameters = {
  /** AN 1-100. Required for 3D Secure version 2. */
  readonly 'merchant.billing.street1'?: string | undefined;
  /** AN 1-100. Both street lines together must not be digits alone. */
  readonly 'merchant.billing.street2'?: string | undefined;
  /** AN 1-100. With it street1 is the bare street name and street2 is not read. */
  readonly 'merchant.billing.houseNumber1'?: string | undefined;
  /** AN 1-100. Only with houseNumber1. */
  readonly 'merchant.billing.houseNumber2'?: string | undefined;
  /** AN 1-80. Required for 3D Secure version 2. */
  readonly 'merchant.billing.city'?: string | undefined;
  /** AN 1-50, letters, digits, dot. */
  readonly 'merchant.billing.state'?: string | undefined;
  /** AN 1-16, letters and digits. Required for 3D Secure version 2. */
  readonly 'merchant.billing.postcode'?: string | undefined;
  /** A2, upper case. ISO 3166-1. Required for 3D Secure version 2. */
  readonly 'merchant.billing.country'?: string | undefined;
  /** AN 1-255. The address in its normalized form. */
  readonly 'merchant.billing.normalized'?: string | undefined;
  /** AN 1-255. Whether the address was validated and the shopper agreed to the normalized form. */
  readonly 'merchant.billing.validationStatus'?: string | undefined;
  /** AN. */
  readonly 'merchant.billing.givenName'?: string | undefined;
  /** AN. */
  readonly 'merchant.billing.surname'?: string | undefined;
  /** AN. */
  readonly 'merchant.billing.middleName'?: string | undefined;
  /** AN 1-60. */
  readonly 'merchant.billing.companyName'?: string | undefined;
  /** AN 1-25. */
  readonly 'merchant.billing.phone'?: string | undefined;
  /** AN 1-25. */
  readonly 'merchant.billing.workPhone'?: string | undefined;
  /** AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen. */
  readonly 'merchant.billing.mobile'?: string | undefined;
  /** AN 6-128. */
  readonly 'merchant.billing.email'?: string | undefined;
};

/** Shipping address. */
export type ShippingParameters = {
  /** AN 1-100. */
  readonly 'shipping.street1'?: string | undefined;
  /** AN 1-100. */
  readonly 'shipping.street2'?: string | undefined;
  /** AN 1-100. With it street1 is the bare street name and street2 is not read. */
  readonly 'shipping.houseNumber1'?: string | undefined;
  /** AN 1-100. Only with houseNumber1. */
  readonly 'shipping.houseNumber2'?: string | undefined;
  /** A 1-80. Letters of any script, spaces and . , ' -. */
  readonly 'shipping.city'?: string | undefined;
  /** AN 1-50, letters, digits, dot. */
  readonly 'shipping.state'?: string | undefined;
  /** AN 1-16, letters and digits. */
  readonly 'shipping.postcode'?: string | undefined;
  /** A2. ISO 3166-1. */
  readonly 'shipping.country'?: string | undefined;
  /** AN 5-30, upper-case letters and underscore. How the goods travel. */
  readonly 'shipping.method'?: 'CARRIER_DESIGNATED_BY_CUSTOMER' | 'ELECTRONIC_DELIVERY' | 'EXPEDITED' | 'GROUND' | 'INTERNATIONAL' | 'LOWEST_COST' | 'MILITARY' | 'NEXT_DAY_OVERNIGHT' | 'OTHER' | 'POINT_PICKUP' | 'PUDO' | 'SAME_DAY_SERVICE' | 'STORE_PICKUP' | 'THREE_DAY_SERVICE' | 'TWO_DAY_SERVICE' | undefined;
  /** N13, two decimals. What shipping costs in all; already part of the amount. */
  readonly 'shipping.cost'?: Amount | undefined;
  /** AN 1-160. */
  readonly 'shipping.comment'?: string | undefined;
  /** yyyy-MM-dd. */
  readonly 'shipping.expectedDate'?: string | undefined;
  /** AN 1-255. */
  readonly 'shipping.logisticsProvider'?: string | undefined;
  /** AN 1-255. */
  readonly 'shipping.trackingNumber'?: string | undefined;
  /** AN 1-255. */
  readonly 'shipping.returnTrackingNumber'?: string | undefined;
  /** AN 1-255. */
  readonly 'shipping.normalized'?: string | undefined;
  /** AN 1-255. */
  readonly 'shipping.validationStatus'?: string | undefined;
  /** AN 1-100. The warehouse the order left from. */
  readonly 'shipping.warehouse'?: string | undefined;
  /** GET_FROM_FILE, NO_SHIPPING, SET_PROVIDED_ADDRESS. GET_FROM_FILE, the default, takes the address of the acquirer's page; NO_SHIPPING is for digital goods; SET_PROVIDED_ADDRESS fixes the merchant's. */
  readonly 'shipping.preference'?: 'GET_FROM_FILE' | 'NO_SHIPPING' | 'SET_PROVIDED_ADDRESS' | undefined;
  /** AN. */
  readonly 'shipping.middleName'?: string | undefined;
  /** AN 1-60. */
  readonly 'shipping.companyName'?: string | undefined;
  /** AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen. */
  readonly 'shipping.phone'?: string | undefined;
  /** AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen. */
  readonly 'shipping.mobile'?: string | undefined;
  /** AN 1-25. */
  readonly 'shipping.workPhone'?: string | undefined;
  /** AN 6-128. */
  readonly 'shipping.email'?: string | undefined;
  /** RETURN or SHIPMENT. */
  readonly 'shipping.type'?: 'RETURN' | 'SHIPMENT' | undefined;
};

/** Merchant shipping address. */
export type MerchantShippingParameters = {
  /** AN 1-100. */
  readonly 'merchant.shipping.street1'?: string | undefined;
  /** AN 1-100. */
  readonly 'merchant.shipping.street2'?: string | undefined;
  /** AN 1-100. With it street1 is the bare street name and street2 is not read. */
  readonly 'merchant.shipping.houseNumber1'?: string | undefined;
  /** AN 1-100. Only with houseNumber1. */
  readonly 'merchant.shipping.houseNumber2'?: string | undefined;
  /** A 1-80. Letters of any script, spaces and . , ' -. */
  readonly 'merchant.shipping.city'?: string | undefined;
  /** AN 1-50, letters, digits, dot. */
  readonly 'merchant.shipping.state'?: string | undefined;
  /** AN 1-16, letters and digits. */
  readonly 'merchant.shipping.postcode'?: string | undefined;
  /** A2. ISO 3166-1. */
  readonly 'merchant.shipping.country'?: string | undefined;
  /** AN 5-30, upper-case letters and underscore. How the goods travel. */
  readonly 'merchant.shipping.method'?: 'CARRIER_DESIGNATED_BY_CUSTOMER' | 'ELECTRONIC_DELIVERY' | 'EXPEDITED' | 'GROUND' | 'INTERNATIONAL' | 'LOWEST_COST' | 'MILITARY' | 'NEXT_DAY_OVERNIGHT' | 'OTHER' | 'POINT_PICKUP' | 'PUDO' | 'SAME_DAY_SERVICE' | 'STORE_PICKUP' | 'THREE_DAY_SERVICE' | 'TWO_DAY_SERVICE' | undefined;
  /** N13, two decimals. What shipping costs in all; already part of the amount. */
  readonly 'merchant.shipping.cost'?: Amount | undefined;
  /** AN 1-160. */
  readonly 'merchant.shipping.comment'?: string | undefined;
  /** yyyy-MM-dd. */
  readonly 'merchant.shipping.expectedDate'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.shipping.logisticsProvider'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.shipping.trackingNumber'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.shipping.returnTrackingNumber'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.shipping.normalized'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.shipping.validationStatus'?: string | undefined;
  /** AN 1-100. The warehouse the order left from. */
  readonly 'merchant.shipping.warehouse'?: string | undefined;
  /** GET_FROM_FILE, NO_SHIPPING, SET_PROVIDED_ADDRESS. GET_FROM_FILE, the default, takes the address of the acquirer's page; NO_SHIPPING is for digital goods; SET_PROVIDED_ADDRESS fixes the merchant's. */
  readonly 'merchant.shipping.preference'?: 'GET_FROM_FILE' | 'NO_SHIPPING' | 'SET_PROVIDED_ADDRESS' | undefined;
  /** AN. */
  readonly 'merchant.shipping.middleName'?: string | undefined;
  /** AN 1-60. */
  readonly 'merchant.shipping.companyName'?: string | undefined;
  /** AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen. */
  readonly 'merchant.shipping.phone'?: string | undefined;
  /** AN, starts with + or digit, then 5-25 of digits, space, dot, parentheses, slash, hyphen. */
  readonly 'merchant.shipping.mobile'?: string | undefined;
  /** AN 1-25. */
  readonly 'merchant.shipping.workPhone'?: string | undefined;
  /** AN 6-128. */
  readonly 'merchant.shipping.email'?: string | undefined;
  /** RETURN or SHIPMENT. */
  readonly 'merchant.shipping.type'?: 'RETURN' | 'SHIPMENT' | undefined;
};

/** Corporate. */
export type CorporateParameters = {
  /** AN 1-30. */
  readonly 'corporate.name'?: string | undefined;
  /** AN 1-160. */
  readonly 'corporate.description'?: string | undefined;
  /** AN 1-100. */
  readonly 'corporate.street'?: string | undefined;
  /** AN 1-100. Second line of the address. */
  readonly 'corporate.address'?: string | undefined;
  /** AN 1-80. */
  readonly 'corporate.city'?: string | undefined;
  /** AN 1-50. */
  readonly 'corporate.state'?: string | undefined;
  /** AN 1-16. */
  readonly 'corporate.postCode'?: string | undefined;
  /** AN 1-30. */
  readonly 'corporate.suite'?: string | undefined;
  /** AN 1-15. */
  readonly 'corporate.postboxNumber'?: string | undefined;
  /** Y or N (purchase indicator). Whether it is a corporate purchase. */
  readonly 'corporate.purchase'?: 'Y' | 'N' | undefined;
  /** N 1-25. */
  readonly 'corporate.phone'?: string | undefined;
  /** N 1-25. */
  readonly 'corporate.fax'?: string | undefined;
  /** AN 0-255. */
  readonly 'corporate.vatId'?: string | undefined;
};

/** Sender (the party that pays). */
export type SenderParameters = {
  /** AN 0-100, letters, digits, whitespace. */
  readonly 'sender.name'?: string | undefined;
  /** AN 0-50, letters, digits, whitespace. */
  readonly 'sender.givenName'?: string | undefined;
  /** AN 0-50, letters, digits, whitespace. */
  readonly 'sender.middleName'?: string | undefined;
  /** AN 0-50, letters, digits, whitespace. */
  readonly 'sender.surname'?: string | undefined;
  /** yyyy-MM-dd. */
  readonly 'sender.birthDate'?: string | undefined;
  /** AN 0-32. May be a card number, so it is stored like one. */
  readonly 'sender.accountNumber'?: string | undefined;
  /** AN 0-100. */
  readonly 'sender.street'?: string | undefined;
  /** AN 0-50, letters, digits, whitespace. */
  readonly 'sender.city'?: string | undefined;
  /** AN 0-50, letters, digits, whitespace. */
  readonly 'sender.state'?: string | undefined;
  /** AN 0-3 (ISO 3166-1 alpha-3). */
  readonly 'sender.country'?: string | undefined;
  /** AN 1-30. */
  readonly 'sender.postcode'?: string | undefined;
  /** OTHER, RTN_AND_BANK_ACCOUNT, IBAN, IBAN_AND_BIC, CARD_ACCOUNT. */
  readonly 'sender.accountNumberType'?: 'OTHER' | 'RTN_AND_BANK_ACCOUNT' | 'IBAN' | 'IBAN_AND_BIC' | 'CARD_ACCOUNT' | undefined;
  /** N2: 01 credit, 02 debit, 03 prepaid, 04 cash, 05 debit or deposit-access accounts other than those linked to the cardholder's scheme, 06 credit accounts other than those linked to the cardholder's scheme, 07 deposit account, 08 mobile money account, 09 other. */
  readonly 'sender.sourceOfFunds'?: '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | undefined;
  /** AN 0-50 (e.g. individual, business). */
  readonly 'sender.entityType'?: string | undefined;
  /** A 0-50. */
  readonly 'sender.nationality'?: string | undefined;
  /** AN 0-50. */
  readonly 'sender.occupation'?: string | undefined;
  /** A 0-3 (alpha-3). */
  readonly 'sender.birthCountry'?: string | undefined;
};

/** Recipient (the party whose debt is paid). */
export type RecipientParameters = {
  /** AN 0-48, letters, digits, whitespace. */
  readonly 'recipient.givenName'?: string | undefined;
  /** AN 0-48, letters, digits, whitespace. */
  readonly 'recipient.middleName'?: string | undefined;
  /** AN 0-48, letters, digits, whitespace. */
  readonly 'recipient.surname'?: string | undefined;
  /** yyyy-MM-dd. */
  readonly 'recipient.birthDate'?: string | undefined;
  /** AN, starts with + or digit, then 7-25 of digits, space, parentheses, dot, hyphen. */
  readonly 'recipient.phone'?: string | undefined;
  /** AN 0-32. May be a card number, so it is stored like one. */
  readonly 'recipient.accountNumber'?: string | undefined;
  /** AN 0-100. */
  readonly 'recipient.street'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.city'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.state'?: string | undefined;
  /** AN 0-3 (alpha-3). */
  readonly 'recipient.country'?: string | undefined;
  /** AN 1-30. */
  readonly 'recipient.postcode'?: string | undefined;
  /** OTHER, RTN_AND_BANK_ACCOUNT, IBAN, CARD_ACCOUNT, EMAIL, PHONE_NUMBER, BAN_AND_BIC, WALLET_ID, SOCIAL_NETWORK_ID. */
  readonly 'recipient.accountNumberType'?: 'OTHER' | 'RTN_AND_BANK_ACCOUNT' | 'IBAN' | 'CARD_ACCOUNT' | 'EMAIL' | 'PHONE_NUMBER' | 'BAN_AND_BIC' | 'WALLET_ID' | 'SOCIAL_NETWORK_ID' | undefined;
  /** A 0-50. */
  readonly 'recipient.nationality'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.identificationType'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.identificationValue'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.entityType'?: string | undefined;
  /** AN 0-50 (relationship to the sender). */
  readonly 'recipient.relationship'?: string | undefined;
  /** AN 0-50. */
  readonly 'recipient.occupation'?: string | undefined;
  /** A 0-3 (alpha-3). */
  readonly 'recipient.birthCountry'?: string | undefined;
};

/** Merchant (acceptor). */
export type MerchantParameters = {
  /** AN 1-100. Replaces the name on the statement; usually trading name, asterisk, product. One method greets the shopper with it. */
  readonly 'merchant.name'?: string | undefined;
  /** AN 0-4. Category code of the business. */
  readonly 'merchant.mcc'?: string | undefined;
  /** AN 1-100. */
  readonly 'merchant.street'?: string | undefined;
  /** AN 1-100. Second line of the statement: the city when the card is present, else a telephone number, e-mail address or URL. */
  readonly 'merchant.city'?: string | undefined;
  /** AN 1-50. */
  readonly 'merchant.state'?: string | undefined;
  /** N3. ISO 3166-1 numeric. */
  readonly 'merchant.countryCode'?: string | undefined;
  /** A2. ISO 3166-1 alpha-2. */
  readonly 'merchant.country'?: string | undefined;
  /** AN 1-16. Letters, digits and hyphen. */
  readonly 'merchant.postcode'?: string | undefined;
  /** AN 1-20. Latitude, comma, longitude. */
  readonly 'merchant.geographicCoordinates'?: string | undefined;
  /** AN 1-100. Where the service was received, when that is elsewhere. */
  readonly 'merchant.serviceLocationCity'?: string | undefined;
  /** AN 1-50. */
  readonly 'merchant.serviceLocationState'?: string | undefined;
  /** AN 0-3. */
  readonly 'merchant.serviceLocationCountryCode'?: string | undefined;
  /** AN 1-16. */
  readonly 'merchant.serviceLocationPostCode'?: string | undefined;
  /** AN 1-20. */
  readonly 'merchant.serviceLocationGeographicCoordinates'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.additionalContact'?: string | undefined;
  /** AN 0-25. Letters, digits, plus, hyphen and dot. */
  readonly 'merchant.phone'?: string | undefined;
  /** AN 0-25. Where shoppers call. */
  readonly 'merchant.customerContactPhone'?: string | undefined;
  /** AN 0-255. A random session id, new for each transaction. */
  readonly 'merchant.websiteId'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.url'?: string | undefined;
  /** AN 1-60. */
  readonly 'merchant.partnerIdCode'?: string | undefined;
  /** AN 1-255. Id of the independent sales organisation. */
  readonly 'merchant.isoId'?: string | undefined;
  /** AN 1-255. Id of the payment facilitator. */
  readonly 'merchant.payFacId'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.payFacName'?: string | undefined;
  /** AN 1-100. For the facilitators of one card network. */
  readonly 'merchant.submerchantId'?: string | undefined;
  /** AN 1-255. */
  readonly 'merchant.marketplaceId'?: string | undefined;
  /** AN 1-60. */
  readonly 'merchant.taxId'?: string | undefined;
  /** key AN 3-64 (letters, digits, dot, underscore); value AN 0-2048. Anything else a receiver wants to know. */
  readonly [name: `merchant.data[${string}]`]: string | undefined;
  /** AN 1-25. */
  readonly 'merchant.foreignRetailIndicator'?: string | undefined;
  /** AN 1-100. */
  readonly 'merchant.legalName'?: string | undefined;
  /** AN 1-255. The URL scheme that opens the merchant's app. */
  readonly 'merchant.app.schemeUrl'?: string | undefined;
};

/** Cart items. */
export type CartItemsParameters = {
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].name`]: string | undefined;
  /** AN 1-255. Unique within the shop. */
  readonly [name: `cart.items[${number}].merchantItemId`]: string | undefined;
  /** up to 12 integer digits, optional fraction of up to 3 digits. */
  readonly [name: `cart.items[${number}].quantity`]: string | undefined;
  /** AN 1-255. What kind of thing it is. */
  readonly [name: `cart.items[${number}].type`]: 'PHYSICAL' | 'DIGITAL' | 'MIXED' | 'ANONYMOUS_DONATION' | 'AUTHORITIES_PAYMENT' | undefined;
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].sku`]: string | undefined;
  /** A3. ISO 4217. */
  readonly [name: `cart.items[${number}].currency`]: string | undefined;
  /** AN 1-2048. */
  readonly [name: `cart.items[${number}].description`]: string | undefined;
  /** N8. Classification code, for level 3 card data. */
  readonly [name: `cart.items[${number}].commodityCode`]: string | undefined;
  /** AN50. For level 3 card data. */
  readonly [name: `cart.items[${number}].commodityDescription`]: string | undefined;
  /** AN 1-255. Of one unit, before tax and discount. */
  readonly [name: `cart.items[${number}].originalPrice`]: string | undefined;
  /** N13, two decimals. Of one unit, with tax and discount. */
  readonly [name: `cart.items[${number}].price`]: Amount | undefined;
  /** N13, two decimals. Of all units. */
  readonly [name: `cart.items[${number}].totalAmount`]: Amount | undefined;
  /** N13, two decimals. On one unit. */
  readonly [name: `cart.items[${number}].taxAmount`]: Amount | undefined;
  /** N13, two decimals. On all units. */
  readonly [name: `cart.items[${number}].totalTaxAmount`]: Amount | undefined;
  /** AN6, percentage 0 to 100 with up to two decimals. Tax rate. */
  readonly [name: `cart.items[${number}].tax`]: string | undefined;
  /** AN2: AA, S, E or Z. For level 3 card data. */
  readonly [name: `cart.items[${number}].taxCategory`]: 'AA' | 'S' | 'E' | 'Z' | undefined;
  /** N10.N2. What shipping this item costs. */
  readonly [name: `cart.items[${number}].shipping`]: Amount | undefined;
  /** N13, two decimals. Discount on this item in per cent. */
  readonly [name: `cart.items[${number}].discount`]: Amount | undefined;
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].giftMessage`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].shippingMethod`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].shippingInstructions`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `cart.items[${number}].shippingTrackingNumber`]: string | undefined;
  /** M, CM, KG, G, COUNT. COUNT when absent. */
  readonly [name: `cart.items[${number}].quantityUnit`]: 'M' | 'CM' | 'KG' | 'G' | 'COUNT' | undefined;
  /** valid URL. */
  readonly [name: `cart.items[${number}].productUrl`]: string | undefined;
  /** valid URL. */
  readonly [name: `cart.items[${number}].imageUrl`]: string | undefined;
  /** N10.N2. What the discount comes to. */
  readonly [name: `cart.items[${number}].totalDiscountAmount`]: Amount | undefined;
  /** AN 1-30. */
  readonly [name: `cart.items[${number}].productCode`]: string | undefined;
  /** AN 1-30. The manufacturer's part number. */
  readonly [name: `cart.items[${number}].partNumber`]: string | undefined;
  /** N3, 1 to 999. Line of the invoice. */
  readonly [name: `cart.items[${number}].itemNumber`]: string | number | undefined;
  /** AN 1-30. */
  readonly [name: `cart.items[${number}].vatReferenceNumber`]: string | undefined;
  /** AN 1-255. The marketplace seller the item belongs to. */
  readonly [name: `cart.items[${number}].sellerId`]: string | undefined;
  /** AN 1-5. */
  readonly [name: `cart.items[${number}].recipient.salutation`]: string | undefined;
  /** AN 1-48. */
  readonly [name: `cart.items[${number}].recipient.firstName`]: string | undefined;
  /** AN 1-48. */
  readonly [name: `cart.items[${number}].recipient.lastName`]: string | undefined;
  /** AN 1-50. */
  readonly [name: `cart.items[${number}].recipient.middleName`]: string | undefined;
  /** AN 1-100. */
  readonly [name: `cart.items[${number}].recipient.apartment`]: string | undefined;
  /** AN 1-100. First line of the address. */
  readonly [name: `cart.items[${number}].recipient.street`]: string | undefined;
  /** AN 1-100. Second line of the address. */
  readonly [name: `cart.items[${number}].recipient.address`]: string | undefined;
  /** AN 1-80. */
  readonly [name: `cart.items[${number}].recipient.city`]: string | undefined;
  /** AN 1-50. */
  readonly [name: `cart.items[${number}].recipient.state`]: string | undefined;
  /** AN 1-16. */
  readonly [name: `cart.items[${number}].recipient.postcode`]: string | undefined;
  /** A2 or N3. */
  readonly [name: `cart.items[${number}].recipient.country`]: string | undefined;
  /** N 1-25. */
  readonly [name: `cart.items[${number}].recipient.phone`]: string | undefined;
  /** AN 1-128. */
  readonly [name: `cart.items[${number}].recipient.email`]: string | undefined;
  /** yyyy-MM-dd. */
  readonly [name: `cart.items[${number}].deliveryDate`]: string | undefined;
};

/** Cart payments (already-made payments). */
export type CartPaymentsParameters = {
  /** AN 1-255. */
  readonly [name: `cart.payments[${number}].name`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `cart.payments[${number}].type`]: 'GIFTCARD' | 'PROMOTION' | undefined;
  /** N10.N2. */
  readonly [name: `cart.payments[${number}].amount`]: Amount | undefined;
  /** A3. */
  readonly [name: `cart.payments[${number}].currency`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `cart.payments[${number}].status`]: 'pending' | 'authorized' | 'captured' | undefined;
  /** AN 1-255. */
  readonly [name: `cart.payments[${number}].brand`]: string | undefined;
  /** true or false. Whether it is the main payment of the cart. */
  readonly [name: `cart.payments[${number}].primary`]: Flag | undefined;
};

/** Marketplace. */
export type MarketPlaceParameters = {
  /** AN 1-255. Equal to sellerId of the seller's cart items. */
  readonly [name: `marketPlace.sellers[${number}].id`]: string | undefined;
  /** N13, two decimals. The seller's share. */
  readonly [name: `marketPlace.sellers[${number}].amount`]: Amount | undefined;
};

/** Airline. */
export type AirlineParameters = {
  /** N10.N2. */
  readonly 'airline.totalTaxAmount'?: Amount | undefined;
  /** N10.N2. */
  readonly 'airline.totalFeesAmount'?: Amount | undefined;
  /** N10.N2. */
  readonly 'airline.totalFareAmount'?: Amount | undefined;
  /** date. */
  readonly 'airline.ticketIssueDate'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.ticketIssueAddress'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.thirdPartyBooking'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.bookingtype'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.ticketDeliveryMethod'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.bookingRefNum'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.agentName'?: string | undefined;
  /** AN 1-255. */
  readonly 'airline.agentCode'?: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].type`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].name`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].ticketRestricted`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].ticketNumber`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].status`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].phone`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].frequentFlyerNumber`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].email`]: string | undefined;
  /** AN 1-255. Date of birth. */
  readonly [name: `airline.passengers[${number}].dob`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].checkDigit`]: string | undefined;
  /** A2, ISO 3166-1. */
  readonly [name: `airline.passengers[${number}].residenceCountry`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].ticketNumber`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].stopOverAllowed`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].restrictions`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].flightNumber`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].fareBasis`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].exchangeTicketNum`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].departureCountry`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].departureAirport`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].airlineName`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].airlineCode`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].departureTime`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].arrivalCountry`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].arrivalAirport`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].arrivalTime`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].couponNumber`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].classOfService`]: string | undefined;
  /** AN 1-255. */
  readonly [name: `airline.passengers[${number}].legs[${number}].carrierCode`]: string | undefined;
  /** N10.N2. */
  readonly [name: `airline.passengers[${number}].legs[${number}].taxAmount`]: Amount | undefined;
  /** N10.N2. */
  readonly [name: `airline.passengers[${number}].legs[${number}].feesAmount`]: Amount | undefined;
  /** N10.N2. */
  readonly [name: `airline.passengers[${number}].legs[${number}].fareAmount`]: Amount | undefined;
  /** N10.N2. */
  readonly [name: `airline.passengers[${number}].legs[${number}].departureTaxAmount`]: Amount | undefined;
  /** date. */
  readonly [name: `airline.passengers[${number}].legs[${number}].departureDate`]: string | undefined;
  /** date. */
  readonly [name: `airline.passengers[${number}].legs[${number}].arrivalDate`]: string | undefined;
  /** AN 1-10, in days. */
  readonly [name: `airline.passengers[${number}].legs[${number}].timeToDeparture`]: string | undefined;
};

/** Tokenization and registration flags. */
export type TokenizationParameters = {
  /** true or false. With true the payment details are stored and the answer carries registrationId. A check box may send on or 1 instead. */
  readonly createRegistration?: Flag | undefined;
  /** true or false. With true an empty holder of a registration may be filled for this one payment, in checkouts and one-click payments. */
  readonly overrideHolder?: Flag | undefined;
  /** INITIAL, REPEATED, REGISTRATION_BASED. The older way to say what standingInstruction.mode and .source say. */
  readonly recurringType?: 'INITIAL' | 'REPEATED' | 'REGISTRATION_BASED' | undefined;
  /** AN32, letters and digits. Stored payment details the widget offers to the shopper. */
  readonly [name: `registrations[${number}].id`]: string | undefined;
  /** AN32, letters and digits. The stored payment details that a schedule charges. */
  readonly registrationId?: string | undefined;
};

/** Recurring migration (deprecated). */
export type RecurringMigrationParameters = {
  /** A2: DB, CD or PA. Payment type of the INITIAL request. */
  readonly 'recurringMigration.paymentType'?: 'DB' | 'CD' | 'PA' | undefined;
  /** N8.N2 (decimals optional). */
  readonly 'recurringMigration.amount'?: Amount | undefined;
  /** AN19 timestamp with date and time. When the INITIAL request was made. */
  readonly 'recurringMigration.requestTimestamp'?: string | undefined;
  /** AN 1-128. Part of the acquirer's answer to the INITIAL payment. */
  readonly 'recurringMigration.connectorTxId1'?: string | undefined;
  /** AN 1-128. Part of the acquirer's answer to the INITIAL payment. */
  readonly 'recurringMigration.connectorTxId2'?: string | undefined;
  /** AN 1-128. Part of the acquirer's answer to the INITIAL payment. */
  readonly 'recurringMigration.connectorTxId3'?: string | undefined;
};

/** 3D Secure. */
export type ThreeDSecureParameters = {
  /** N9.N2. The amount to authenticate. */
  readonly 'threeDSecure.amount'?: Amount | undefined;
  /** A3. */
  readonly 'threeDSecure.currency'?: string | undefined;
  /** as returned by the mobile SDK's authentication request parameters. Encrypted device data; an app needs it to begin. */
  readonly 'threeDSecure.deviceInfo'?: string | undefined;
  /** AN100. The name the directory server knows the merchant by. */
  readonly 'threeDSecure.merchant.name'?: string | undefined;
  /** AN 0-2048. */
  readonly 'threeDSecure.merchant.url'?: string | undefined;
  /** A3. */
  readonly 'threeDSecure.merchant.country'?: string | undefined;
  /** AN100. The requestor's id with this card network. */
  readonly 'threeDSecure.v2.network1.requestorId'?: string | undefined;
  /** AN100. The requestor's id with this card network. */
  readonly 'threeDSecure.v2.network2.requestorId'?: string | undefined;
  /** AN100. The requestor's id with this card network. */
  readonly 'threeDSecure.v2.network3.requestorId'?: string | undefined;
  /** AN100. The requestor's id with this card network. */
  readonly 'threeDSecure.v2.network4.requestorId'?: string | undefined;
  /** AN100. The requestor's id with this card network. */
  readonly 'threeDSecure.v2.network5.requestorId'?: string | undefined;
  /** AN100. The requestor's name with this card network. */
  readonly 'threeDSecure.v2.network1.requestorName'?: string | undefined;
  /** AN100. The requestor's name with this card network. */
  readonly 'threeDSecure.v2.network2.requestorName'?: string | undefined;
  /** AN100. The requestor's name with this card network. */
  readonly 'threeDSecure.v2.network3.requestorName'?: string | undefined;
  /** AN100. The requestor's name with this card network. */
  readonly 'threeDSecure.v2.network4.requestorName'?: string | undefined;
  /** AN100. The requestor's name with this card network. */
  readonly 'threeDSecure.v2.network5.requestorName'?: string | undefined;
  /** N2, 1 to 99. Marks an authentication that the merchant starts (3RI, version 2.2, one card network). */
  readonly 'threeDSecure.channel'?: string | number | undefined;
  /** true or false. Authentication without a payment. */
  readonly 'threeDSecure.npa'?: Flag | undefined;
  /** true or false. Authentication apart from the checkout. */
  readonly 'threeDSecure.decoupled'?: Flag | undefined;
  /** RECURRING, SPLIT_SHIPMENT, DELAYED_SHIPMENT. Why the merchant starts it. */
  readonly 'threeDSecure.threeRIInd'?: 'RECURRING' | 'SPLIT_SHIPMENT' | 'DELAYED_SHIPMENT' | undefined;
  /** PAYMENT, RECURRING, INSTALLMENT, ADD_CARD, MAINTAIN_CARD, EMV_ID, BILLING_AGREEMENT, SPLIT_SHIPMENT, _DELAYED_SHIPMENT, SPLIT_PAYMENT. A hint to the issuer's server. */
  readonly 'threeDSecure.authenticationInd'?: 'PAYMENT' | 'RECURRING' | 'INSTALLMENT' | 'ADD_CARD' | 'MAINTAIN_CARD' | 'EMV_ID' | 'BILLING_AGREEMENT' | 'SPLIT_SHIPMENT' | '_DELAYED_SHIPMENT' | 'DELAYED_SHIPMENT' | 'SPLIT_PAYMENT' | undefined;
  /** true or false. With true there is no 3D Secure even where it is set up; false cannot turn it on. */
  readonly 'threeDSecure.disable'?: Flag | undefined;
  /** N2, 01 to 08. */
  readonly 'threeDSecure.eci'?: '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | undefined;
  /** AN28. CAVV or AAV. */
  readonly 'threeDSecure.verificationId'?: string | undefined;
  /** one of Y, A, U, N. */
  readonly 'threeDSecure.authenticationStatus'?: 'Y' | 'A' | 'U' | 'N' | undefined;
  /** AN36. The directory server's transaction id. */
  readonly 'threeDSecure.dsTransactionId'?: string | undefined;
  /** AN36. The issuer server's transaction id. */
  readonly 'threeDSecure.acsTransactionId'?: string | undefined;
  /** Y or N. */
  readonly 'threeDSecure.challengeMandatedIndicator'?: 'Y' | 'N' | undefined;
  /** form 2.1.0 or 2.2.0. */
  readonly 'threeDSecure.version'?: string | undefined;
  /** AN2, 01 to 04. */
  readonly 'threeDSecure.authType'?: '01' | '02' | '03' | '04' | undefined;
  /** N2. */
  readonly 'threeDSecure.transactionStatusReason'?: string | undefined;
  /** 01 to 09. Version 2.2 or higher; an exemption is flagged in authentication and payment. */
  readonly 'threeDSecure.challengeIndicator'?: '01' | '02' | '03' | '04' | '05' | '06' | '07' | '08' | '09' | undefined;
  /** N2, 01 to 04. Version 2.2 or higher; an exemption is flagged in authentication and payment. */
  readonly 'threeDSecure.exemptionFlag'?: '01' | '02' | '03' | '04' | undefined;
  /** N2. Number of goods; the domestic scheme needs it. */
  readonly 'threeDSecure.schemeData[XX-ITEMSNB]'?: string | undefined;
  /** AN 1-20. The merchant's own score; the domestic scheme recommends it. */
  readonly 'threeDSecure.schemeData[XX-SCORE_MERCHANT]'?: string | undefined;
  /** N2. The domestic scheme needs it for a payment, and without a payment for indicators 02 and 03. */
  readonly 'threeDSecure.schemeData[XX-USECASE]'?: string | undefined;
};

/** Custom parameters. */
export type CustomParametersParameters = {
  /** name AN 3-64 (letters, digits, dot, underscore); value AN 0-2048. Comes back in the answer. From the widget the name must begin with SHOPPER_. */
  readonly [name: `customParameters[${string}]`]: string | undefined;
};

/** Asynchronous payments. */
export type AsynchronousParameters = {
  /** AN 6-2048. Where the shopper arrives after paying elsewhere; an absolute URL. */
  readonly shopperResultUrl?: string | undefined;
  /** AN 6-2048. Deprecated: use webhooks. @deprecated */
  readonly notificationUrl?: string | undefined;
};

/** Reporting parameters. */
export type ReportingParameters = {
  /** yyyy-MM-dd. First day of the report. */
  readonly 'date.from'?: string | undefined;
  /** yyyy-MM-dd. Last day of the report. */
  readonly 'date.to'?: string | undefined;
  /** SettlementTxDate. Sort key of the detailed settlement report. */
  readonly sortValue?: 'SettlementTxDate' | undefined;
  /** ASC, DESC, asc, desc. */
  readonly sortOrder?: 'ASC' | 'DESC' | 'asc' | 'desc' | undefined;
  /** A3. Only settlements in this currency. */
  readonly currency?: string | undefined;
  /** number from 1. Page of 100 records; default 1. */
  readonly pageNo?: string | undefined;
  /** SETTLED, FEE, CHARGEBACK, CHARGEBACK REVERSAL. Only records of this type. */
  readonly reconciliationType?: 'SETTLED' | 'FEE' | 'CHARGEBACK' | 'CHARGEBACK REVERSAL' | undefined;
  /** EXTERNAL or INTERNAL. With INTERNAL the reply has generated data, the same for the same days, for testing. Not in live. */
  readonly testMode?: 'EXTERNAL' | 'INTERNAL' | undefined;
  /** comma-separated list. The columns of the file in the order that is wanted; those of the document when absent. */
  readonly columns?: string | undefined;
};

/** Gift card. */
export type GiftCardParameters = {
  /** AN 2-255. */
  readonly 'giftCard.number'?: string | undefined;
  /** AN 2-255. */
  readonly 'giftCard.pin'?: string | undefined;
  /** AN 2-255. */
  readonly 'giftCard.holder'?: string | undefined;
  /** AN 2-160. */
  readonly 'giftCard.message'?: string | undefined;
  /** AN16: ANNIVERSARY, BIRTHDAY, CONGRATULATIONS, APRIL_FOOLS_DAY, EASTER, FATHERS_DAY, GRADUATION, HOLIDAY, SEASONS_GREETINGS, PASSOVER, KWANZAA, HALLOWEEN, MOTHERS_DAY, NEW_YEARS_DAY, BOSSES_DAY, ST_PATRICKS_DAY, SWEETEST_DAY, CHRISTMAS, BABY_SHOWER, THANKSGIVING, OTHER, VALENTINES_DAY, WEDDING, SECRETARYS_DAY, CHINESE_NEW_YEAR, HANUKKAH, CELEBRATE_FALL, GRANDPARENTS_DAY, INDEPENDENCE_DAY. The occasion. */
  readonly 'giftCard.type'?: 'ANNIVERSARY' | 'BIRTHDAY' | 'CONGRATULATIONS' | 'APRIL_FOOLS_DAY' | 'EASTER' | 'FATHERS_DAY' | 'GRADUATION' | 'HOLIDAY' | 'SEASONS_GREETINGS' | 'PASSOVER' | 'KWANZAA' | 'HALLOWEEN' | 'MOTHERS_DAY' | 'NEW_YEARS_DAY' | 'BOSSES_DAY' | 'ST_PATRICKS_DAY' | 'SWEETEST_DAY' | 'CHRISTMAS' | 'BABY_SHOWER' | 'THANKSGIVING' | 'OTHER' | 'VALENTINES_DAY' | 'WEDDING' | 'SECRETARYS_DAY' | 'CHINESE_NEW_YEAR' | 'HANUKKAH' | 'CELEBRATE_FALL' | 'GRANDPARENTS_DAY' | 'INDEPENDENCE_DAY' | undefined;
};

/** Risk. */
export type RiskParameters = {
  /** AN 1-255. Selects another rule set of the risk system than the configured one; one provider takes 12 characters. */
  readonly 'risk.channelId'?: string | undefined;
  /** AN 1-255. Service of the risk system; one provider takes one character. */
  readonly 'risk.serviceId'?: string | undefined;
  /** N10.N2. The amount for risk checks and 3D Secure, when it is not the amount of the payment. */
  readonly 'risk.amount'?: Amount | undefined;
  /** yyyy-MM-dd HH:mm:ss, 24h. When the order was made; the present by default. */
  readonly 'risk.orderTimestamp'?: string | undefined;
  /** AN 1-255. The brand to check, when it is not paymentBrand. */
  readonly 'risk.brand'?: string | undefined;
  /** name AN 3-64; value AN 0-2048. Anything else the risk system wants to know. */
  readonly [name: `risk.parameters[${string}]`]: string | undefined;
  /** AN 1-60. */
  readonly 'risk.merchantWebsite'?: string | undefined;
  /** AN 1-64. What the merchant knows the account by. */
  readonly 'risk.accountToken'?: string | undefined;
};

/** Scheduling (subscription jobs). */
export type SchedulingParameters = {
  /** AN 1-64. For recognising the job. */
  readonly 'job.name'?: string | undefined;
  /** AN64. Every year when absent; 1970-2099 and , - * /. */
  readonly 'job.year'?: string | undefined;
  /** AN64. 1 when absent; 1-12 and , - * /. */
  readonly 'job.month'?: string | undefined;
  /** AN64. 1 when absent; 1-31 and , - * ? / L W. */
  readonly 'job.dayOfMonth'?: string | undefined;
  /** AN64. 1 when absent; 1-7, SUN-SAT and , - * ? / L #. */
  readonly 'job.dayOfWeek'?: string | undefined;
  /** AN64. 0 when absent; 0-23 and , - * /. */
  readonly 'job.hour'?: string | undefined;
  /** AN64. 0 when absent; 0-59. */
  readonly 'job.minute'?: string | undefined;
  /** AN64. 0 when absent; 0-59 and , - * /. */
  readonly 'job.second'?: string | undefined;
  /** yyyy-MM-dd HH:mm:ss. Start of the job. */
  readonly 'job.startDate'?: string | undefined;
  /** yyyy-MM-dd HH:mm:ss. End of the job. */
  readonly 'job.endDate'?: string | undefined;
  /** YEAR, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND. Unit of the notice period. */
  readonly 'job.noticeUnit'?: 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' | undefined;
  /** N16. Length of the notice period. */
  readonly 'job.noticeNumber'?: string | undefined;
  /** ANYTIME or DURATION_END. What notice is counted from. */
  readonly 'job.noticeCallable'?: 'ANYTIME' | 'DURATION_END' | undefined;
  /** YEAR, MONTH, WEEK, DAY, HOUR, MINUTE, SECOND. */
  readonly 'job.durationUnit'?: 'YEAR' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND' | undefined;
  /** N16. Duration of the job. */
  readonly 'job.durationNumber'?: string | undefined;
  /** AN256. Seven cron fields (the year may be left out) that replace second to year above. */
  readonly 'job.expression'?: string | undefined;
};

/** Card-on-file (standing instruction). */
export type StandingInstructionParameters = {
  /** UNSCHEDULED, INSTALLMENT, RECURRING. RECURRING: at fixed intervals, no end. INSTALLMENT: one purchase in parts. UNSCHEDULED: as need arises. */
  readonly 'standingInstruction.type'?: 'UNSCHEDULED' | 'INSTALLMENT' | 'RECURRING' | undefined;
  /** STANDING_ORDER, SUBSCRIPTION. STANDING_ORDER: varying amount. SUBSCRIPTION: fixed amount. One network always needs it, another for cards of India. */
  readonly 'standingInstruction.recurringType'?: 'STANDING_ORDER' | 'SUBSCRIPTION' | undefined;
  /** INITIAL, REPEATED. INITIAL: the first of a series, with the shopper’s authentication. REPEATED: a later one without it. */
  readonly 'standingInstruction.mode'?: 'INITIAL' | 'REPEATED' | undefined;
  /** CIT, MIT. Who starts it: cardholder or merchant. */
  readonly 'standingInstruction.source'?: 'CIT' | 'MIT' | undefined;
  /** AN or N, acquirer-dependent. The scheme's reference of the first payment, from its reply; required if the merchant stores the card. */
  readonly 'standingInstruction.initialTransactionId'?: string | undefined;
  /** INCREMENTAL_AUTH, RESUBMISSION, REAUTHORIZATION, DELAYED_CHARGES, NO_SHOW. INCREMENTAL_AUTH raises an authorised total. RESUBMISSION tries again after a lack of funds. REAUTHORIZATION authorises anew. DELAYED_CHARGES and NO_SHOW are charges of hotels and rentals after the stay. */
  readonly 'standingInstruction.industryPractice'?: 'INCREMENTAL_AUTH' | 'RESUBMISSION' | 'REAUTHORIZATION' | 'DELAYED_CHARGES' | 'NO_SHOW' | undefined;
  /** yyyy-MM-dd. No authorization follows after this day. 3D Secure needs it for series; one network gets 9999-12-31 in its absence. */
  readonly 'standingInstruction.expiry'?: string | undefined;
  /** N4. Least number of days between two authorizations. 3D Secure needs it for series; one network gets 0001 in its absence. */
  readonly 'standingInstruction.frequency'?: string | undefined;
  /** N3. With type INSTALLMENT and 3D Secure only. */
  readonly 'standingInstruction.numberOfInstallments'?: string | undefined;
  /** AN35. Links the payments of one agreement with one network; for now beside initialTransactionId, later in its place. */
  readonly 'standingInstruction.agreementId'?: string | undefined;
};

/** Chargeback. */
export type ChargebackParameters = {
  /** 000.100.2 followed by two digits. The acquirer's reason for a chargeback, for the back office. */
  readonly chargebackResultCode?: string | undefined;
};

/** Query parameters. */
export type QueryParameters = {
  /** AN 1-255. Not together with date.from and date.to. */
  readonly merchantTransactionId?: string | undefined;
  /** number 100 to 500. Maximum number of transactions in the reply; default 100. */
  readonly limit?: string | undefined;
  /** yyyy-MM-dd HH:mm:ss. Together with date.to. */
  readonly 'date.from'?: string | undefined;
  /** yyyy-MM-dd HH:mm:ss. Together with date.from. */
  readonly 'date.to'?: string | undefined;
  /** comma-separated list. Only transactions of these types. */
  readonly paymentTypes?: string | undefined;
  /** comma-separated list. Only transactions of these methods. */
  readonly paymentMethods?: string | undefined;
  /** true or false. With true, the reply includes all linked transactions. */
  readonly includeLinkedTransactions?: Flag | undefined;
  /** AN14. Only the transaction with this short id. */
  readonly shortId?: string | undefined;
  /** number from 1. Page of a time frame; default 1. */
  readonly pageNo?: string | undefined;
  /** EXTERNAL or INTERNAL. Only transactions of this mode; default all. Not in live. */
  readonly testMode?: 'EXTERNAL' | 'INTERNAL' | undefined;
  /** true or false. With false, the reply leaves out cart.items; default true. */
  readonly includeCartItems?: Flag | undefined;
};

/** Preview of a job. */
export type PreviewParameters = {
  /** yyyy-MM-dd HH:mm:ss. Preview runs after this local time of the zone; default now. */
  readonly from?: string | undefined;
  /** AN 1-64. A time zone such as Europe/Vienna; that of the channel when absent. */
  readonly zone?: string | undefined;
};

export type PaymentParameters =
  & BasicParameters
  & ForexParameters
  & AuthenticationParameters
  & CardParameters
  & WalletsParameters
  & VirtualAccountParameters
  & BankAccountParameters
  & TokenAccountParameters
  & CustomerParameters
  & ShippingCustomerParameters
  & BillingParameters
  & MerchantBillingParameters
  & ShippingParameters
  & MerchantShippingParameters
  & CorporateParameters
  & SenderParameters
  & RecipientParameters
  & MerchantParameters
  & CartItemsParameters
  & CartPaymentsParameters
  & MarketPlaceParameters
  & AirlineParameters
  & TokenizationParameters
  & RecurringMigrationParameters
  & ThreeDSecureParameters
  & CustomParametersParameters
  & AsynchronousParameters
  & GiftCardParameters
  & RiskParameters
  & SchedulingParameters
  & StandingInstructionParameters
  & ChargebackParameters
;

export type CheckoutParameters =
  & BasicParameters
  & ForexParameters
  & AuthenticationParameters
  & VirtualAccountParameters
  & CustomerParameters
  & ShippingCustomerParameters
  & BillingParameters
  & MerchantBillingParameters
  & ShippingParameters
  & MerchantShippingParameters
  & CorporateParameters
  & SenderParameters
  & RecipientParameters
  & MerchantParameters
  & CartItemsParameters
  & CartPaymentsParameters
  & MarketPlaceParameters
  & AirlineParameters
  & TokenizationParameters
  & RecurringMigrationParameters
  & ThreeDSecureParameters
  & CustomParametersParameters
  & AsynchronousParameters
  & GiftCardParameters
  & RiskParameters
  & SchedulingParameters
  & StandingInstructionParameters
  & ChargebackParameters
;

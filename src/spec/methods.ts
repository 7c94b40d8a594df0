/** The payment methods of the query parameter `paymentMethods` in document 3. */
export const methods = {
  CC: 'credit card',
  DC: 'debit card',
  DD: 'direct debit',
  CT: 'credit transfer',
  OT: 'online transfer',
  VA: 'virtual account',
  UA: 'user account',
  WA: 'wallet account',
  IV: 'invoice',
  PP: 'prepayment',
  OD: 'cash on delivery',
  RM: 'risk management',
  ET: 'not public',
  NT: 'network token',
} as const;

export type MethodCode = keyof typeof methods;

/** The line that makes a first payment; the sandbox's merchant and token are public. */
export const firstPayment = (gatewayUrl: string): string =>
  [
    `curl ${gatewayUrl}/v1/payments`,
    '-H "Authorization: Bearer NWVlZDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwYTF8c2FuZGJveC1kZW1v"',
    '-d entityId=5eed0000000000000000000000000001 -d amount=92.00 -d currency=EUR -d paymentType=DB -d paymentBrand=VISA',
    '-d card.number=4200000000000000 -d card.holder="Ann Example" -d card.expiryMonth=05 -d card.expiryYear=2034 -d card.cvv=123',
  ].join(' \\\n  ');

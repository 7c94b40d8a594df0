import { classifyResult, createClient, demoShop, formatAmount, playScenario, shopperText, testCard } from 'turnpike/client';

// The sandbox and its public credentials. A shop has its own, and keeps the token on its server.
const turnpike = createClient({ url: process.env.TURNPIKE_URL ?? 'http://127.0.0.1:8080', ...demoShop });

const order = { paymentType: 'DB', amount: 9200n, currency: 'EUR', ...testCard('VISA') } as const;
const payment = await turnpike.createPayment({ ...order, merchantTransactionId: 'order-00017' });
const result = classifyResult(payment);
console.log(result.kind, payment.amount);

const declined = await turnpike.createPayment({ ...order, ...playScenario('insufficient-funds') });
const why = classifyResult(declined);
if (why.kind === 'declined') console.log(why.kind, why.decline, why.adviceText);
console.log(shopperText(declined, 'de'));

const refund = await turnpike.refundPayment(payment.id ?? '', { amount: 1000n, currency: 'EUR' });
console.log(classifyResult(refund).kind, formatAmount(1000n));

import { classifyResult, createClient, demoShop, testCard } from 'turnpike/client';

const turnpike = createClient({ url: process.env.TURNPIKE_URL ?? 'http://127.0.0.1:8080', ...demoShop });
const payment = await turnpike.createPayment({ paymentType: 'DB', amount: '92.00', currency: 'EUR', ...testCard() });
console.log(classifyResult(payment).kind);

const { classifyResult, createClient, demoShop, testCard } = require('turnpike/client');

const turnpike = createClient({ url: process.env.TURNPIKE_URL ?? 'http://127.0.0.1:8080', ...demoShop });
turnpike
  .createPayment({ paymentType: 'DB', amount: '92.00', currency: 'EUR', ...testCard() })
  .then((payment) => console.log(classifyResult(payment).kind));

import { cardPayment } from '../requests.ts';
import { type Case, proof } from './case.ts';

/** The rules of spec/rules/purchase.ts about goods and 3D Secure. */
export const goodsCases: readonly Case[] = [
  {
    title: 'Every marketplace seller has a cart item, and every sellerId is a listed seller.',
    base: { ...cardPayment, 'marketPlace.sellers[0].id': 'a', 'cart.items[4].sellerId': 'a' },
    passes: [
      { 'marketPlace.sellers[0].amount': '1.00' },
      { 'marketPlace.sellers[1].id': 'b', 'cart.items[5].sellerId': 'b', 'cart.items[6].sellerId': 'b' },
      { 'marketPlace.sellers[0].id': null },
    ],
    refused: [
      [{ 'marketPlace.sellers[1].id': 'b' }, 'marketPlace.sellers[1].id'],
      [{ 'cart.items[5].sellerId': 'c' }, 'cart.items[5].sellerId'],
      [{ 'marketPlace.sellers[1].amount': '1.00' }, 'marketPlace.sellers[1].id'],
      [{ 'cart.items[4].sellerId': null }, 'marketPlace.sellers[0].id'],
    ],
  },
  {
    title: 'threeDSecure.amount and threeDSecure.currency require each other.',
    passes: [{ 'threeDSecure.amount': '1.00', 'threeDSecure.currency': 'EUR' }],
    refused: [
      [{ 'threeDSecure.amount': '1.00' }, 'threeDSecure.currency'],
      [{ 'threeDSecure.currency': 'EUR' }, 'threeDSecure.amount'],
    ],
  },
  {
    title: 'threeDSecure.threeRIInd requires threeDSecure.channel.',
    passes: [{ 'threeDSecure.threeRIInd': 'RECURRING', 'threeDSecure.channel': '3' }, { 'threeDSecure.channel': '3' }],
    refused: [[{ 'threeDSecure.threeRIInd': 'RECURRING' }, 'threeDSecure.channel']],
  },
  {
    title: 'threeDSecure.verificationId requires threeDSecure.eci.',
    passes: [proof, { 'threeDSecure.eci': '07' }, { 'threeDSecure.dsTransactionId': 'x' }],
    refused: [[{ ...proof, 'threeDSecure.eci': null }, 'threeDSecure.eci']],
  },
  {
    title: 'Exemption and challenge indicator require 3D Secure version 2.2.',
    base: { ...cardPayment, 'threeDSecure.exemptionFlag': '01', 'threeDSecure.challengeIndicator': '04' },
    passes: [{}, { 'threeDSecure.version': '2.2.0' }, { 'threeDSecure.version': '2.3.1' }],
    refused: [
      [{ 'threeDSecure.version': '2.1.0' }, 'threeDSecure.exemptionFlag', 'threeDSecure.challengeIndicator'],
      [{ 'threeDSecure.version': '2.1.0', 'threeDSecure.exemptionFlag': null }, 'threeDSecure.challengeIndicator'],
    ],
  },
];

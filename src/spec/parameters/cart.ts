import { webUrl } from '../formats/addresses.ts';
import { date } from '../formats/dates.ts';
import { AN, flag, integer, labelled, lines, money10, money13, N, oneOf, percentage, quantity } from '../formats/formats.ts';
import { countryAlpha2, countryShort, currency } from '../formats/isoCodes.ts';
import { NETWORK_OR_PARCEL, PHONE_OR_ARTICLE, row, type Section, TICKET_OR_TAX } from '../row.ts';

const itemTypes = ['PHYSICAL', 'DIGITAL', 'MIXED', 'ANONYMOUS_DONATION', 'AUTHORITIES_PAYMENT'] as const;
const lenient = true;

/** Document 3, Cart items. */
export const cartItems = {
  'cart.items[n].name': row('C', lines(1, 255), { lenient }),
  'cart.items[n].merchantItemId': row('C', AN(1, 255), { scan: PHONE_OR_ARTICLE, note: 'Unique within the shop.' }),
  'cart.items[n].quantity': row('C', quantity),
  'cart.items[n].type': row('C', oneOf('AN 1-255', itemTypes), { note: 'What kind of thing it is.' }),
  'cart.items[n].sku': row('O', AN(1, 255), { scan: PHONE_OR_ARTICLE }),
  'cart.items[n].currency': row('C', currency, { note: 'ISO 4217.' }),
  'cart.items[n].description': row('C', lines(1, 2048), { lenient }),
  'cart.items[n].commodityCode': row('O', N(1, 8, 'N8'), { note: 'Classification code, for level 3 card data.' }),
  'cart.items[n].commodityDescription': row('O', lines(1, 50, 'AN50'), { lenient, note: 'For level 3 card data.' }),
  'cart.items[n].originalPrice': row('O', AN(1, 255), { note: 'Of one unit, before tax and discount.' }),
  'cart.items[n].price': row('C', money13, { note: 'Of one unit, with tax and discount.' }),
  'cart.items[n].totalAmount': row('C', money13, { note: 'Of all units.' }),
  'cart.items[n].taxAmount': row('C', money13, { note: 'On one unit.' }),
  'cart.items[n].totalTaxAmount': row('C', money13, { note: 'On all units.' }),
  'cart.items[n].tax': row('C', percentage, { note: 'Tax rate.' }),
  'cart.items[n].taxCategory': row('C', oneOf('AN2: AA, S, E or Z', ['AA', 'S', 'E', 'Z']), { note: 'For level 3 card data.' }),
  'cart.items[n].shipping': row('C', money10, { note: 'What shipping this item costs.' }),
  'cart.items[n].discount': row('C', money13, { note: 'Discount on this item in per cent.' }),
  'cart.items[n].giftMessage': row('O', lines(1, 255), { lenient }),
  'cart.items[n].shippingMethod': row('O', AN(1, 255)),
  'cart.items[n].shippingInstructions': row('O', lines(1, 255), { lenient }),
  'cart.items[n].shippingTrackingNumber': row('O', AN(1, 255), { scan: NETWORK_OR_PARCEL }),
  'cart.items[n].quantityUnit': row('O', oneOf('M, CM, KG, G, COUNT', ['M', 'CM', 'KG', 'G', 'COUNT']), {
    note: 'COUNT when absent.',
  }),
  'cart.items[n].productUrl': row('O', webUrl('valid URL')),
  'cart.items[n].imageUrl': row('O', webUrl('valid URL')),
  'cart.items[n].totalDiscountAmount': row('O', money10, { note: 'What the discount comes to.' }),
  'cart.items[n].productCode': row('O', AN(1, 30), { scan: PHONE_OR_ARTICLE }),
  'cart.items[n].partNumber': row('O', AN(1, 30), { scan: PHONE_OR_ARTICLE, note: "The manufacturer's part number." }),
  'cart.items[n].itemNumber': row('O', integer('N3, 1 to 999', [1, 999], 3), { note: 'Line of the invoice.' }),
  'cart.items[n].vatReferenceNumber': row('O', AN(1, 30), { scan: TICKET_OR_TAX }),
  'cart.items[n].sellerId': row('O', AN(1, 255), { note: 'The marketplace seller the item belongs to.' }),
  'cart.items[n].recipient.salutation': row('O', AN(1, 5), { lenient }),
  'cart.items[n].recipient.firstName': row('O', AN(1, 48), { lenient }),
  'cart.items[n].recipient.lastName': row('O', AN(1, 48), { lenient }),
  'cart.items[n].recipient.middleName': row('O', AN(1, 50), { lenient }),
  'cart.items[n].recipient.apartment': row('O', AN(1, 100), { lenient }),
  'cart.items[n].recipient.street': row('O', AN(1, 100), { lenient, note: 'First line of the address.' }),
  'cart.items[n].recipient.address': row('O', AN(1, 100), { lenient, note: 'Second line of the address.' }),
  'cart.items[n].recipient.city': row('O', AN(1, 80), { lenient }),
  'cart.items[n].recipient.state': row('O', AN(1, 50), { lenient }),
  'cart.items[n].recipient.postcode': row('O', AN(1, 16), { lenient }),
  'cart.items[n].recipient.country': row('O', countryShort),
  'cart.items[n].recipient.phone': row('O', N(1, 25), { scan: PHONE_OR_ARTICLE, lenient }),
  'cart.items[n].recipient.email': row('O', AN(1, 128), { lenient }),
  'cart.items[n].deliveryDate': row('O', date),
} satisfies Section['rows'];

/** Document 3, Cart payments: payments that were made already. */
export const cartPayments = {
  'cart.payments[n].name': row('O', AN(1, 255), { lenient: true }),
  'cart.payments[n].type': row('O', oneOf('AN 1-255', ['GIFTCARD', 'PROMOTION'])),
  'cart.payments[n].amount': row('O', money10),
  'cart.payments[n].currency': row('O', currency),
  'cart.payments[n].status': row('O', oneOf('AN 1-255', ['pending', 'authorized', 'captured'])),
  'cart.payments[n].brand': row('O', AN(1, 255)),
  'cart.payments[n].primary': row('O', flag, { note: 'Whether it is the main payment of the cart.' }),
} satisfies Section['rows'];

/** Document 3, Marketplace. The items of a seller are the cart items with the same sellerId. */
export const marketPlace = {
  'marketPlace.sellers[n].id': row('O', AN(1, 255), { note: "Equal to sellerId of the seller's cart items." }),
  'marketPlace.sellers[n].amount': row('O', money13, { note: "The seller's share." }),
} satisfies Section['rows'];

const day = labelled('date', date);
const words = AN(1, 255);

/** Document 3, Airline. Which fields a flight needs depends on the acquirer. */
export const airline = {
  'airline.totalTaxAmount': row('C', money10),
  'airline.totalFeesAmount': row('C', money10),
  'airline.totalFareAmount': row('C', money10),
  'airline.ticketIssueDate': row('C', day),
  'airline.ticketIssueAddress': row('C', words, { lenient }),
  'airline.thirdPartyBooking': row('C', words),
  'airline.bookingtype': row('C', words),
  'airline.ticketDeliveryMethod': row('C', words),
  'airline.bookingRefNum': row('C', words),
  'airline.agentName': row('C', words, { lenient }),
  'airline.agentCode': row('C', words),
  'airline.passengers[n].type': row('C', words),
  'airline.passengers[n].name': row('C', words, { lenient }),
  'airline.passengers[n].ticketRestricted': row('C', words),
  'airline.passengers[n].ticketNumber': row('C', words, { scan: TICKET_OR_TAX }),
  'airline.passengers[n].status': row('C', words),
  'airline.passengers[n].phone': row('C', words, { scan: PHONE_OR_ARTICLE, lenient }),
  'airline.passengers[n].frequentFlyerNumber': row('C', words),
  'airline.passengers[n].email': row('C', words, { lenient }),
  'airline.passengers[n].dob': row('C', words, { note: 'Date of birth.' }),
  'airline.passengers[n].checkDigit': row('C', words),
  'airline.passengers[n].residenceCountry': row('C', labelled('A2, ISO 3166-1', countryAlpha2)),
  'airline.passengers[n].legs[n].ticketNumber': row('C', words, { scan: TICKET_OR_TAX }),
  'airline.passengers[n].legs[n].stopOverAllowed': row('C', words),
  'airline.passengers[n].legs[n].restrictions': row('C', words),
  'airline.passengers[n].legs[n].flightNumber': row('C', words),
  'airline.passengers[n].legs[n].fareBasis': row('C', words),
  'airline.passengers[n].legs[n].exchangeTicketNum': row('C', words, { scan: TICKET_OR_TAX }),
  'airline.passengers[n].legs[n].departureCountry': row('C', words),
  'airline.passengers[n].legs[n].departureAirport': row('C', words),
  'airline.passengers[n].legs[n].airlineName': row('C', words, { lenient }),
  'airline.passengers[n].legs[n].airlineCode': row('C', words),
  'airline.passengers[n].legs[n].departureTime': row('C', words),
  'airline.passengers[n].legs[n].arrivalCountry': row('C', words),
  'airline.passengers[n].legs[n].arrivalAirport': row('C', words),
  'airline.passengers[n].legs[n].arrivalTime': row('C', words),
  'airline.passengers[n].legs[n].couponNumber': row('C', words),
  'airline.passengers[n].legs[n].classOfService': row('C', words),
  'airline.passengers[n].legs[n].carrierCode': row('C', words),
  'airline.passengers[n].legs[n].taxAmount': row('C', money10),
  'airline.passengers[n].legs[n].feesAmount': row('C', money10),
  'airline.passengers[n].legs[n].fareAmount': row('C', money10),
  'airline.passengers[n].legs[n].departureTaxAmount': row('C', money10),
  'airline.passengers[n].legs[n].departureDate': row('C', day),
  'airline.passengers[n].legs[n].arrivalDate': row('C', day),
  'airline.passengers[n].legs[n].timeToDeparture': row('C', AN(1, 10, 'AN 1-10, in days')),
} satisfies Section['rows'];

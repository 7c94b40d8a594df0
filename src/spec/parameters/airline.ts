import { date } from '../dates.ts';
import { AN, labelled, money10 } from '../formats.ts';
import { countryAlpha2 } from '../isoCodes.ts';
import { PHONE_OR_ARTICLE, row, type Section, TICKET_OR_TAX } from '../row.ts';

const day = labelled('date', date);
const words = AN(1, 255);
const lenient = true;

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

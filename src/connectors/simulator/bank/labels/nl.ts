import type { Labels } from './labels.ts';

export const nl: Labels = {
  simulator: 'Betaalsimulator',
  notice: 'Dit is geen echte bank of wallet, en er wordt geen geld overgemaakt.',
  amount: 'Bedrag',
  recipient: 'Ontvanger',
  method: 'Betaalmethode',
  pay: '{amount} betalen',
  decline: 'Weigering simuleren',
  cancel: 'Betaling annuleren',
  later: 'Later beslissen',
  laterHint: 'De betaling blijft open. U kunt tot {time} naar deze pagina terugkomen.',
  back: 'Terug naar de winkel',
  account: 'Rekening',
  reference: 'Betalingskenmerk',
  payBy: 'Te betalen tot',
  havePaid: 'Ik heb betaald',
  payLater: 'Later betalen',
  agree: 'Akkoord',
  disagree: 'Niet akkoord',
  instructions: {
    title: 'Zo betaalt u',
    text: 'Maak het bedrag over of stort het, en vermeld het betalingskenmerk zodat de betaling wordt herkend.',
  },
  invoice: {
    title: 'Betalen op factuur',
    text: 'De winkel levert eerst. U betaalt binnen 14 dagen na ontvangst van de factuur.',
  },
  agreed: { title: 'Akkoord gegeven', text: 'U betaalt wanneer de factuur komt. U kunt terug naar de winkel.' },
  open: { title: 'Betaling bevestigen', text: 'Kies hoe de betaling afloopt.' },
  paid: { title: 'Betaald', text: 'De betaling is voltooid. U kunt terug naar de winkel.' },
  refused: { title: 'Niet betaald', text: 'De betaling is geweigerd of geannuleerd. Er is niets afgeschreven.' },
  over: {
    title: 'Niet meer open',
    text:
      'De tijd om te betalen is verstreken, of de winkel heeft de betaling ingetrokken. ' +
      'Er is niets afgeschreven. Ga terug naar de winkel om het opnieuw te proberen.',
  },
  lost: {
    title: 'Betaling niet gevonden',
    text: 'Dit adres is onvolledig of gewijzigd. Ga terug naar de winkel en begin opnieuw.',
  },
};

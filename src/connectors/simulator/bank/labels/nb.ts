import type { Labels } from './labels.ts';

export const nb: Labels = {
  simulator: 'Betalingssimulator',
  notice: 'Dette er ikke en ekte bank eller lommebok, og ingen penger flyttes.',
  amount: 'Beløp',
  recipient: 'Mottaker',
  method: 'Betalingsmåte',
  pay: 'Betal {amount}',
  decline: 'Simuler et avslag',
  cancel: 'Avbryt betalingen',
  later: 'Bestem senere',
  laterHint: 'Betalingen forblir åpen. Du kan komme tilbake til denne siden frem til {time}.',
  back: 'Tilbake til butikken',
  account: 'Konto',
  reference: 'Referanse',
  payBy: 'Betales innen',
  havePaid: 'Jeg har betalt',
  payLater: 'Betal senere',
  agree: 'Godta',
  disagree: 'Ikke godta',
  instructions: {
    title: 'Slik betaler du',
    text: 'Overfør eller innbetal beløpet, og oppgi referansen, så betalingen kan gjenkjennes.',
  },
  invoice: {
    title: 'Betal med faktura',
    text: 'Butikken leverer først. Du betaler innen 14 dager etter at du har fått fakturaen.',
  },
  agreed: { title: 'Godtatt', text: 'Du betaler når fakturaen kommer. Du kan gå tilbake til butikken.' },
  open: { title: 'Bekreft betalingen', text: 'Velg hvordan den skal ende.' },
  paid: { title: 'Betalt', text: 'Betalingen er fullført. Du kan gå tilbake til butikken.' },
  refused: { title: 'Ikke betalt', text: 'Betalingen ble avvist eller avbrutt. Ingenting er belastet.' },
  over: {
    title: 'Ikke lenger åpen',
    text:
      'Tiden for å betale er ute, eller butikken har trukket betalingen tilbake. ' +
      'Ingenting er belastet. Gå tilbake til butikken for å prøve igjen.',
  },
  lost: {
    title: 'Fant ikke betalingen',
    text: 'Denne adressen er ufullstendig eller endret. Gå tilbake til butikken og begynn på nytt.',
  },
};

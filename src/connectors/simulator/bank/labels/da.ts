import type { Labels } from './labels.ts';

export const da: Labels = {
  simulator: 'Betalingssimulator',
  notice: 'Dette er ikke en rigtig bank eller tegnebog, og der flyttes ingen penge.',
  amount: 'Beløb',
  recipient: 'Modtager',
  method: 'Betalingsmetode',
  pay: 'Betal {amount}',
  decline: 'Simulér en afvisning',
  cancel: 'Annullér betalingen',
  later: 'Beslut senere',
  laterHint: 'Betalingen forbliver åben. Du kan vende tilbage til denne side indtil {time}.',
  back: 'Tilbage til butikken',
  account: 'Konto',
  reference: 'Reference',
  payBy: 'Betales senest',
  havePaid: 'Jeg har betalt',
  payLater: 'Betal senere',
  agree: 'Acceptér',
  disagree: 'Acceptér ikke',
  instructions: {
    title: 'Sådan betaler du',
    text: 'Overfør eller indbetal beløbet, og angiv referencen, så betalingen kan genkendes.',
  },
  invoice: {
    title: 'Betal på faktura',
    text: 'Butikken leverer først. Du betaler inden 14 dage efter modtagelsen af fakturaen.',
  },
  agreed: { title: 'Accepteret', text: 'Du betaler, når fakturaen kommer. Du kan gå tilbage til butikken.' },
  open: { title: 'Bekræft betalingen', text: 'Vælg, hvordan den ender.' },
  paid: { title: 'Betalt', text: 'Betalingen er gennemført. Du kan gå tilbage til butikken.' },
  refused: { title: 'Ikke betalt', text: 'Betalingen blev afvist eller annulleret. Der er ikke trukket noget.' },
  over: {
    title: 'Ikke længere åben',
    text:
      'Tiden til at betale er udløbet, eller butikken har trukket betalingen tilbage. ' +
      'Der er ikke trukket noget. Gå tilbage til butikken for at prøve igen.',
  },
  lost: {
    title: 'Betalingen blev ikke fundet',
    text: 'Denne adresse er ufuldstændig eller ændret. Gå tilbage til butikken, og begynd forfra.',
  },
};

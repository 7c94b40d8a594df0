import type { Labels } from './labels.ts';

export const sv: Labels = {
  simulator: 'Betalningssimulator',
  notice: 'Det här är ingen riktig bank eller plånbok, och inga pengar flyttas.',
  amount: 'Belopp',
  recipient: 'Mottagare',
  method: 'Betalningssätt',
  pay: 'Betala {amount}',
  decline: 'Simulera ett avslag',
  cancel: 'Avbryt betalningen',
  later: 'Bestäm senare',
  laterHint: 'Betalningen förblir öppen. Du kan komma tillbaka till den här sidan fram till {time}.',
  back: 'Tillbaka till butiken',
  account: 'Konto',
  reference: 'Referens',
  payBy: 'Betalas senast',
  havePaid: 'Jag har betalat',
  payLater: 'Betala senare',
  agree: 'Godkänn',
  disagree: 'Godkänn inte',
  instructions: {
    title: 'Så här betalar du',
    text: 'För över eller sätt in beloppet och ange referensen, så att betalningen känns igen.',
  },
  invoice: {
    title: 'Betala mot faktura',
    text: 'Butiken levererar först. Du betalar inom 14 dagar efter att du har fått fakturan.',
  },
  agreed: { title: 'Godkänt', text: 'Du betalar när fakturan kommer. Du kan gå tillbaka till butiken.' },
  open: { title: 'Bekräfta betalningen', text: 'Välj hur den ska sluta.' },
  paid: { title: 'Betald', text: 'Betalningen är klar. Du kan gå tillbaka till butiken.' },
  refused: { title: 'Inte betald', text: 'Betalningen nekades eller avbröts. Inget har dragits.' },
  over: {
    title: 'Inte längre öppen',
    text:
      'Tiden för att betala har gått ut, eller så har butiken dragit tillbaka betalningen. ' +
      'Inget har dragits. Gå tillbaka till butiken för att försöka igen.',
  },
  lost: {
    title: 'Betalningen hittades inte',
    text: 'Adressen är ofullständig eller har ändrats. Gå tillbaka till butiken och börja om.',
  },
};

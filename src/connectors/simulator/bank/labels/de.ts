import type { Labels } from './labels.ts';

export const de: Labels = {
  simulator: 'Zahlungssimulator',
  notice: 'Dies ist keine echte Bank oder Wallet, und es fließt kein Geld.',
  amount: 'Betrag',
  recipient: 'Empfänger',
  method: 'Zahlungsart',
  pay: '{amount} bezahlen',
  decline: 'Ablehnung simulieren',
  cancel: 'Zahlung abbrechen',
  later: 'Später entscheiden',
  laterHint: 'Die Zahlung bleibt offen. Sie können bis {time} auf diese Seite zurückkommen.',
  back: 'Zurück zum Shop',
  open: { title: 'Zahlung bestätigen', text: 'Wählen Sie, wie sie ausgeht.' },
  paid: { title: 'Bezahlt', text: 'Die Zahlung ist abgeschlossen. Sie können zum Shop zurückkehren.' },
  refused: { title: 'Nicht bezahlt', text: 'Die Zahlung wurde abgelehnt oder abgebrochen. Es wurde nichts abgebucht.' },
  over: {
    title: 'Nicht mehr offen',
    text:
      'Die Zeit zum Bezahlen ist abgelaufen, oder der Shop hat die Zahlung zurückgezogen. ' +
      'Es wurde nichts abgebucht. Gehen Sie zum Shop zurück, um es erneut zu versuchen.',
  },
  lost: {
    title: 'Zahlung nicht gefunden',
    text: 'Diese Adresse ist unvollständig oder wurde verändert. Gehen Sie zum Shop zurück und beginnen Sie neu.',
  },
};

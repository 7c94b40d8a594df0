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
  account: 'Konto',
  reference: 'Verwendungszweck',
  payBy: 'Zahlbar bis',
  havePaid: 'Ich habe bezahlt',
  payLater: 'Später bezahlen',
  agree: 'Zustimmen',
  disagree: 'Nicht zustimmen',
  instructions: {
    title: 'So bezahlen Sie',
    text: 'Überweisen Sie den Betrag oder zahlen Sie ihn ein, mit dem Verwendungszweck, damit die Zahlung zugeordnet wird.',
  },
  invoice: {
    title: 'Kauf auf Rechnung',
    text: 'Der Shop liefert zuerst. Sie bezahlen innerhalb von 14 Tagen nach Erhalt der Rechnung.',
  },
  agreed: { title: 'Zugestimmt', text: 'Sie bezahlen, wenn die Rechnung kommt. Sie können zum Shop zurückkehren.' },
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

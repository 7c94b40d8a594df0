import type { Labels } from './labels.ts';

export const it: Labels = {
  simulator: 'Simulatore di pagamento',
  notice: 'Questa non è una vera banca né un vero portafoglio, e non si muove denaro.',
  amount: 'Importo',
  recipient: 'Beneficiario',
  method: 'Metodo di pagamento',
  pay: 'Paga {amount}',
  decline: 'Simula un rifiuto',
  cancel: 'Annulla il pagamento',
  later: 'Decidi più tardi',
  laterHint: 'Il pagamento resta aperto. Può tornare su questa pagina fino al {time}.',
  back: 'Torna al negozio',
  account: 'Conto',
  reference: 'Causale',
  payBy: 'Da pagare entro il',
  havePaid: 'Ho pagato',
  payLater: 'Paga più tardi',
  agree: 'Accetta',
  disagree: 'Non accettare',
  instructions: {
    title: 'Come pagare',
    text: 'Faccia un bonifico o un versamento indicando la causale, perché il pagamento sia riconosciuto.',
  },
  invoice: {
    title: 'Pagamento su fattura',
    text: 'Il negozio consegna prima. Lei paga entro 14 giorni dal ricevimento della fattura.',
  },
  agreed: { title: 'Accettato', text: 'Pagherà quando arriva la fattura. Può tornare al negozio.' },
  open: { title: 'Conferma il pagamento', text: 'Scelga come deve finire.' },
  paid: { title: 'Pagato', text: 'Il pagamento è completato. Può tornare al negozio.' },
  refused: { title: 'Non pagato', text: 'Il pagamento è stato rifiutato o annullato. Non è stato addebitato nulla.' },
  over: {
    title: 'Pagamento non più aperto',
    text:
      'Il tempo per pagare è scaduto, oppure il negozio ha ritirato il pagamento. ' +
      'Non è stato addebitato nulla. Torni al negozio per riprovare.',
  },
  lost: {
    title: 'Pagamento non trovato',
    text: 'Questo indirizzo è incompleto o è stato modificato. Torni al negozio e ricominci.',
  },
};

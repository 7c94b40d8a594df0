import type { Labels } from './labels.ts';

export const ro: Labels = {
  simulator: 'Simulator de plăți',
  notice: 'Aceasta nu este o bancă sau un portofel real și nu se transferă bani.',
  amount: 'Sumă',
  recipient: 'Beneficiar',
  method: 'Metodă de plată',
  pay: 'Plătiți {amount}',
  decline: 'Simulați un refuz',
  cancel: 'Anulați plata',
  later: 'Decideți mai târziu',
  laterHint: 'Plata rămâne deschisă. Puteți reveni la această pagină până la {time}.',
  back: 'Înapoi la magazin',
  account: 'Cont',
  reference: 'Referință',
  payBy: 'De plătit până la',
  havePaid: 'Am plătit',
  payLater: 'Plătiți mai târziu',
  agree: 'Sunt de acord',
  disagree: 'Nu sunt de acord',
  instructions: {
    title: 'Cum plătiți',
    text: 'Transferați sau depuneți suma și menționați referința, pentru ca plata să fie recunoscută.',
  },
  invoice: {
    title: 'Plată pe factură',
    text: 'Magazinul livrează mai întâi. Plătiți în termen de 14 zile de la primirea facturii.',
  },
  agreed: { title: 'Acord dat', text: 'Plătiți când primiți factura. Puteți reveni la magazin.' },
  open: { title: 'Confirmați plata', text: 'Alegeți cum se încheie.' },
  paid: { title: 'Plătit', text: 'Plata este finalizată. Puteți reveni la magazin.' },
  refused: { title: 'Neplătit', text: 'Plata a fost refuzată sau anulată. Nu s-a debitat nimic.' },
  over: {
    title: 'Plata nu mai este deschisă',
    text:
      'Timpul de plată a expirat sau magazinul a retras plata. ' +
      'Nu s-a debitat nimic. Reveniți la magazin pentru a încerca din nou.',
  },
  lost: {
    title: 'Plata nu a fost găsită',
    text: 'Această adresă este incompletă sau a fost modificată. Reveniți la magazin și începeți din nou.',
  },
};

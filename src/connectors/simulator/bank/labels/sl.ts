import type { Labels } from './labels.ts';

export const sl: Labels = {
  simulator: 'Simulator plačil',
  notice: 'To ni prava banka ali denarnica in denar se ne premika.',
  amount: 'Znesek',
  recipient: 'Prejemnik',
  method: 'Način plačila',
  pay: 'Plačaj {amount}',
  decline: 'Simuliraj zavrnitev',
  cancel: 'Prekliči plačilo',
  later: 'Odloči se pozneje',
  laterHint: 'Plačilo ostane odprto. Na to stran se lahko vrnete do {time}.',
  back: 'Nazaj v trgovino',
  account: 'Bančni račun',
  reference: 'Sklic',
  payBy: 'Rok plačila',
  havePaid: 'Plačilo je opravljeno',
  payLater: 'Plačaj pozneje',
  agree: 'Strinjam se',
  disagree: 'Ne strinjam se',
  instructions: { title: 'Kako plačati', text: 'Nakažite ali vplačajte znesek in navedite sklic, da bo plačilo prepoznano.' },
  invoice: { title: 'Plačilo po računu', text: 'Trgovina najprej dostavi. Plačate v 14 dneh po prejemu računa.' },
  agreed: { title: 'Potrjeno', text: 'Plačate, ko prejmete račun. Lahko se vrnete v trgovino.' },
  open: { title: 'Potrdite plačilo', text: 'Izberite, kako naj se konča.' },
  paid: { title: 'Plačano', text: 'Plačilo je končano. Lahko se vrnete v trgovino.' },
  refused: { title: 'Ni plačano', text: 'Plačilo je bilo zavrnjeno ali preklicano. Nič ni bilo zaračunano.' },
  over: {
    title: 'Ni več odprto',
    text:
      'Čas za plačilo je potekel ali pa je trgovina plačilo umaknila. ' +
      'Nič ni bilo zaračunano. Za nov poskus se vrnite v trgovino.',
  },
  lost: {
    title: 'Plačila ni mogoče najti',
    text: 'Ta naslov je nepopoln ali spremenjen. Vrnite se v trgovino in začnite znova.',
  },
};
